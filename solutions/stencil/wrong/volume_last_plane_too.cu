// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=14
// Treats the last plane like the others, so it reads a plane past the end.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = in[i + plane];
    float result = centre;
    if (!is_side && z > 0) {
      const float beside = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
      result = centre * 0.25f + (beside + below + above) * 0.125f;
    }
    out[i] = result;
    below = centre;
    centre = above;
  }
}
