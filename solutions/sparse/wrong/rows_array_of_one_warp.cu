// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: out_of_bounds line=15
// Written for blocks of one warp: the array has 32 sums, and the block has 256 threads.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[32];
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;

  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) {
    sum += value[i] * x[column[i]];
  }
  sums[threadIdx.x] = sum;
  __syncwarp();
  if (lane != 0) return;
  for (unsigned l = 1; l < 32; ++l) sum += sums[threadIdx.x + l];
  y[row] = sum;
}
