// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_guard
// Adds each long row twice: once by its own warp and once by the block.
constexpr unsigned kRows = 8;     // rows per block, one per warp
constexpr unsigned kLong = 1024;  // rows with at least this many elements are long

__device__ float sum_of_warp(float sum) {
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  return sum;
}

// Sum of this thread's products: every `threads`-th element from `begin` to `end` - 1.
__device__ float products(const unsigned* column, const float* value, const float* x,
                          unsigned begin, unsigned end, unsigned threads) {
  float sum = 0;
#pragma unroll 4
  for (unsigned i = begin; i < end; i += threads) sum += value[i] * x[column[i]];
  return sum;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float sums[kRows];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * kRows;

  const unsigned own = first + warp;
  if (own < rows) {
    const float sum =
        sum_of_warp(products(column, value, x, row_begin[own] + lane, row_begin[own + 1], 32));
    if (lane == 0) atomicAdd(&y[own], sum);
  }

  for (unsigned row = first; row < min(first + kRows, rows); ++row) {
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    if (end - begin < kLong) continue;
    const float sum = sum_of_warp(products(column, value, x, begin + threadIdx.x, end, blockDim.x));
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      float total = 0;
      for (unsigned w = 0; w < kRows; ++w) total += sums[w];
      atomicAdd(&y[row], total);
    }
    __syncthreads();
  }
}
