// SPDX-License-Identifier: Apache-2.0
// Transposes 4 x 4 squares of doubles; each shuffle moves two words. Four doubles are one sector.
__global__ void transpose(double* out, const double* in, int width, int height) {
  const int id = blockIdx.x + gridDim.x * blockIdx.y;
  const int by = id % gridDim.y, bx = (id / gridDim.y + by) % gridDim.x;
  const int lane = threadIdx.x, top = by * 32 + threadIdx.y * 4, column = bx * 32 + lane;
  double v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    v[k] = column < width && top + k < height ? in[(top + k) * width + column] : 0.0;
#pragma unroll
  for (int step = 1; step < 4; step *= 2)
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (!(k & step)) {
        const double got = __shfl_xor_sync(0xffffffffu, lane & step ? v[k] : v[k + step], step);
        if (lane & step)
          v[k] = got;
        else
          v[k + step] = got;
      }
  const int out_column = top + lane % 4;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int out_row = bx * 32 + lane / 4 * 4 + k;
    if (out_row < width && out_column < height) out[out_row * height + out_column] = v[k];
  }
}
