// SPDX-License-Identifier: Apache-2.0
// cause: imbalance line=12
// says: The long rows of a block all go to its first warp, while the other seven wait: let all
//   warps share each long row.
// never: Neighbouring lanes must load
constexpr unsigned kLong = 1024;

__device__ void row_of_warp(float* y, const unsigned* column, const float* value, const float* x, unsigned row,
                            unsigned begin, unsigned end) {
  float sum = 0;
#pragma unroll 4
  for (unsigned i = begin + threadIdx.x % 32; i < end; i += 32) sum += value[i] * x[column[i]];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0) y[row] = sum;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned first = blockIdx.x * 8, own = first + threadIdx.x / 32;
  if (own < rows && row_begin[own + 1] - row_begin[own] < kLong)
    row_of_warp(y, column, value, x, own, row_begin[own], row_begin[own + 1]);
  if (threadIdx.x >= 32) return;
  for (unsigned row = first; row < min(first + 8, rows); ++row) {
    if (row_begin[row + 1] - row_begin[row] >= kLong)
      row_of_warp(y, column, value, x, row, row_begin[row], row_begin[row + 1]);
  }
}
