// SPDX-License-Identifier: Apache-2.0
// cause: infinite_loop line=7
// says: When hi is lo + 1 the middle is lo again and nothing changes; loop while hi - lo > 1. The row of element
//   `e`.
__device__ unsigned row_of(const unsigned* row_begin, unsigned rows, unsigned e) {
  unsigned lo = 0, hi = rows;
  while (lo < hi) {
    const unsigned mid = (lo + hi) / 2;
    if (row_begin[mid] <= e) lo = mid;
    else hi = mid;
  }
  return lo;
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned lane = threadIdx.x % 32, warp = blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned total = row_begin[rows], warps = gridDim.x * 8;
  const unsigned share = (total + warps - 1) / warps;
  unsigned begin = warp * share;
  const unsigned end = min(begin + share, total);
  if (begin >= end) return;

  for (unsigned row = row_of(row_begin, rows, begin); begin < end; ++row) {
    const unsigned stop = min(row_begin[row + 1], end);
    float sum = 0;
    for (unsigned i = begin + lane; i < stop; i += 32) sum += value[i] * x[column[i]];
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0 && stop > begin) atomicAdd(&y[row], sum);
    begin = stop;
  }
}
