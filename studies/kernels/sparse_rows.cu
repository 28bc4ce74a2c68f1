// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix and a vector, for rows of equal length: a thread or a warp per row.
// Blocks of 256 threads; the matrix has n elements, and x has 4,096.

__device__ float product(const unsigned* column, const float* value, const float* x, unsigned i) {
  return value[i] * x[column[i] % 4096];
}

__global__ void thread_per_row(float* y, const unsigned* column, const float* value, const float* x,
                               unsigned n, unsigned length) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n / length) return;
  float sum = 0;
  for (unsigned i = 0; i < length; ++i) sum += product(column, value, x, row * length + i);
  y[row] = sum;
}

__global__ void warp_per_row(float* y, const unsigned* column, const float* value, const float* x,
                             unsigned n, unsigned length) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n / length) return;
  float sum = 0;
  for (unsigned i = lane; i < length; i += 32) sum += product(column, value, x, row * length + i);
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
