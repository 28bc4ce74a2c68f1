// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride|out_of_bounds line=8
// says: A plane has nx * ny points, not nx * nz.
// never: barrier
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * nz;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = z < nz - 1 ? in[i + plane] : 0;
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1)
      result = centre / 4 + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above) / 8;
    out[i] = result;
    below = centre;
    centre = above;
  }
}
