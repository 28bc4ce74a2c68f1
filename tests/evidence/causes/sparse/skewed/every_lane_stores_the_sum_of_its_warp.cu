// SPDX-License-Identifier: Apache-2.0
// cause: race line=46
// says: After shfl_down only lane 0 has the sum of the warp, but all 32 lanes store theirs to the
//   same word of partial; only lane 0 may store.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

struct Matrix {
  const unsigned* begin;
  const unsigned* column;
  const float* value;

  __device__ unsigned length(unsigned row) const { return begin[row + 1] - begin[row]; }
  __device__ float part(unsigned row, const float* x, unsigned first, unsigned step) const {
    float s = 0;
    for (unsigned i = begin[row] + first, end = begin[row + 1]; i < end; i += step)
      s += value[i] * x[column[i]];
    return s;
  }
};

template <class Tile>
__device__ float sum_to_first(const Tile& tile, float s) {
  for (int d = tile.size() / 2; d > 0; d /= 2) s += tile.shfl_down(s, d);
  return s;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float partial[8];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const Matrix a{row_begin, column, value};
  const unsigned limit = 512, base = blockIdx.x * 8;

  const unsigned own = base + warp.meta_group_rank();
  if (own < rows && a.length(own) <= limit) {
    const float s = sum_to_first(warp, a.part(own, x, warp.thread_rank(), 32));
    if (warp.thread_rank() == 0) y[own] = s;
  }

  for (unsigned k = 0; k < 8; ++k) {
    const unsigned row = base + k;
    if (row >= rows || a.length(row) <= limit) continue;
    const float s = sum_to_first(warp, a.part(row, x, block.thread_rank(), 256));
    partial[warp.meta_group_rank()] = s;
    block.sync();
    if (block.thread_rank() == 0) {
      float total = 0;
      for (float p : partial) total += p;
      y[row] = total;
    }
    block.sync();
  }
}
