// SPDX-License-Identifier: Apache-2.0
// tries: Reads the point below from the output, where the last step stored its result, to save a
//   load from the input.
// stopped by: The result of that point differs from its input, and results are compared with a
//   reference (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const bool side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  const int plane = nx * ny;
  for (int z = 0, i = y * nx + x; z < nz; ++z, i += plane) {
    const float centre = in[i];
    out[i] = side || z == 0 || z == nz - 1
                 ? centre
                 : centre / 4 + (out[i - plane] + in[i + plane] + in[i - 1] + in[i + 1] + in[i - nx] +
                                 in[i + nx]) / 8;
  }
}
