// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=9
// says: The sum of a thread is set to 0 once, so each row also has the rows before it.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float part[8];
  const unsigned t = threadIdx.x;
  const unsigned last = min(blockIdx.x * 8 + 8, rows);
  float sum = 0;
  // the whole block works on one row after the other
  for (unsigned row = blockIdx.x * 8; row < last; ++row) {
    for (unsigned i = row_begin[row] + t; i < row_begin[row + 1]; i += 256)
      sum += value[i] * x[column[i]];
    float v = sum;
    v += __shfl_down_sync(0xffffffffu, v, 16);
    v += __shfl_down_sync(0xffffffffu, v, 8);
    v += __shfl_down_sync(0xffffffffu, v, 4);
    v += __shfl_down_sync(0xffffffffu, v, 2);
    v += __shfl_down_sync(0xffffffffu, v, 1);
    if (t % 32 == 0) part[t / 32] = v;
    __syncthreads();
    if (t == 0) {
      float total = 0;
      for (int w = 0; w < 8; ++w) total += part[w];
      y[row] = total;
    }
    __syncthreads();
  }
}
