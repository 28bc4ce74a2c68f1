// SPDX-License-Identifier: Apache-2.0
// tries: Gives warps equal shares of the elements and adds parts of rows to y without atomics. Two
//   warps seldom add to one row at the same time.
// stopped by: Unordered additions of two warps are a race (common/check/global_race.cpp).
// verdict: fail diagnostic race, 0 points
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned lane = threadIdx.x % 32, warps = gridDim.x * 8;
  const unsigned elements = row_begin[rows], share = elements / warps + 1;
  const unsigned first = min((blockIdx.x * 8 + threadIdx.x / 32) * share, elements);
  const unsigned last = min(first + share, elements);
  unsigned low = 0, high = rows;  // the row of `first`
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    (row_begin[middle] <= first ? low : high) = middle;
  }
  for (unsigned row = low, begin = first; begin < last; ++row) {
    const unsigned end = min(row_begin[row + 1], last);
    float sum = 0;
    for (unsigned i = begin + lane; i < end; i += 32) sum += value[i] * x[column[i]];
    for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0 && begin < end) y[row] += sum;
    begin = max(begin, end);
  }
}
