// SPDX-License-Identifier: Apache-2.0
// cub::BlockReduce for long rows, shuffles for short ones. The loads of four steps are in flight
// together.
#include <cub/block/block_reduce.cuh>

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned row = blockIdx.x * 8 + k;
    if (row >= rows) return;
    const unsigned begin = row_begin[row], end = row_begin[row + 1];
    const bool is_long = end - begin > 600;
    if (!is_long && threadIdx.x / 32 != k) continue;
    const unsigned threads = is_long ? 256 : 32, mine = threadIdx.x % threads;
    float sum = 0;
    unsigned i = begin + mine;
    for (; i + 3 * threads < end; i += 4 * threads) {
      float v[4], w[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) v[j] = value[i + j * threads], w[j] = x[column[i + j * threads]];
      sum += v[0] * w[0] + v[1] * w[1] + v[2] * w[2] + v[3] * w[3];
    }
    for (; i < end; i += threads) sum += value[i] * x[column[i]];
    if (is_long) {
      sum = Reduce(storage).Sum(sum);
      __syncthreads();
    } else {
      for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
    }
    if (mine == 0) y[row] = sum;
  }
}
