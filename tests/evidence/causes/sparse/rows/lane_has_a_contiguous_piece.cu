// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|partial_sectors line=21
// says: Each lane walks over a piece of its own, so the lanes of a load are a whole piece apart; let lane l take
//   elements l, l + 32, l + 64 and so on.
struct Range {
  unsigned first, last;
};

__device__ Range piece(unsigned begin, unsigned end, unsigned lane) {
  const unsigned each = (end - begin + 31) / 32;
  const unsigned first = min(begin + lane * each, end);
  return {first, min(first + each, end)};
}

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const Range r = piece(row_begin[row], row_begin[row + 1], lane);
  float sum = 0;
  for (unsigned i = r.first; i != r.last; ++i) sum += value[i] * x[column[i]];
  for (int d = 1; d < 32; d *= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (!lane) y[row] = sum;
}
