// SPDX-License-Identifier: Apache-2.0
// Warps queue long rows in shared memory. The whole block then computes one after another.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ unsigned queue[8], waiting;
  __shared__ float total;
  if (threadIdx.x == 0) waiting = 0;
  __syncthreads();
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row < rows) {
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    if (end - begin > 512) {
      if (lane == 0) queue[atomicAdd(&waiting, 1u)] = row;
    } else {
      float sum = 0;
      for (unsigned i = begin + lane; i < end; i += 32) sum += value[i] * x[column[i]];
      for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
      if (lane == 0) y[row] = sum;
    }
  }
  __syncthreads();
  for (unsigned k = 0; k < waiting; ++k) {
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    float sum = 0;
    const unsigned end = row_begin[queue[k] + 1];
#pragma unroll 4
    for (unsigned i = row_begin[queue[k]] + threadIdx.x; i < end; i += 256) sum += value[i] * x[column[i]];
    for (int d = 16; d; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) y[queue[k]] = total;
    __syncthreads();
  }
}
