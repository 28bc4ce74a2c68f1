// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Overwrites the centre before copying it to `below`, so both hold the point above.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = z < nz - 1 ? in[i + plane] : 0;
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1) {
      const float beside = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
      result = centre * 0.25f + (beside + below + above) * 0.125f;
    }
    out[i] = result;
    centre = above;
    below = centre;
  }
}
