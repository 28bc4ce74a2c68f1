// SPDX-License-Identifier: Apache-2.0
// cause: unwritten|wrong_guard line=12
// says: The loop ends one plane too early: the last plane is never written.
// never: barrier
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny, own = y * nx + x;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  out[own] = in[own];
  float below = in[own], centre = nz > 1 ? in[own + plane] : 0;
  for (int z = 1; z < nz - 1; ++z) {
    const int i = own + z * plane;
    const float above = in[i + plane];
    float result = centre;
    if (!is_side) result = centre / 4 + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above) / 8;
    out[i] = result;
    below = centre;
    centre = above;
  }
}
