// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=11
// says: The centre starts as 0 instead of the point of the first plane.
// never: barrier
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = 0;
  for (int z = 0; z < nz; ++z) {
    const float above = z + 1 < nz ? in[i + plane] : 0;
    const bool is_edge = is_side || z == 0 || z == nz - 1;
    out[i] = is_edge ? centre : centre * 0.25f + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above) * 0.125f;
    below = centre;
    centre = above;
    i += plane;
  }
}
