// SPDX-License-Identifier: Apache-2.0
// Adds the 32 sums of a warp by a tree in shared memory, with __syncwarp between the steps.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[256];
  const unsigned t = threadIdx.x, lane = t & 31, row = blockIdx.x * 8 + t / 32;
  float sum = 0;
  if (row < rows) {
    for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) sum += value[i] * x[column[i]];
  }
  sums[t] = sum;
  for (unsigned half = 16; half > 0; half /= 2) {
    __syncwarp();
    const float other = lane < half ? sums[t + half] : 0;
    __syncwarp();
    sums[t] += other;
  }
  if (lane == 0 && row < rows) y[row] = sums[t];
}
