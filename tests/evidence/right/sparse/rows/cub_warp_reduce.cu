// SPDX-License-Identifier: Apache-2.0
// cub::WarpReduce adds the lanes' sums.
#include <cub/warp/warp_reduce.cuh>

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[8];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * 8 + warp;
  if (row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) {
    sum = fmaf(value[i], x[column[i]], sum);
  }
  sum = Reduce(storage[warp]).Sum(sum);
  if (lane == 0) y[row] = sum;
}
