// SPDX-License-Identifier: Apache-2.0
// Rotates three registers in a loop that is unrolled by three. A separate loop copies side columns.
__global__ void heat3d(float* out, const float* __restrict__ in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny, base = y * nx + x;
  if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1 || nz < 3) {
    for (int z = 0; z < nz; ++z) out[z * plane + base] = in[z * plane + base];
    return;
  }
  float v[3] = {in[base], in[base + plane], 0};
  out[base] = v[0];
#pragma unroll 3
  for (int z = 1; z < nz - 1; ++z) {
    const int i = z * plane + base;
    v[2] = in[i + plane];
    const float sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + v[0] + v[2];
    out[i] = fmaf(0.125f, sum, 0.25f * v[1]);
    v[0] = v[1];
    v[1] = v[2];
  }
  out[(nz - 1) * plane + base] = v[1];
}
