// SPDX-License-Identifier: Apache-2.0
// Each warp of the grid has an even share of the elements and finds its first row by bisection.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column, const float* value, const float* x, unsigned rows) {
  const unsigned elements = row_begin[rows];
  const unsigned warps = gridDim.x * 8, warp = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned share = (elements + warps - 1) / warps;
  unsigned begin = min(warp * share, elements), end = min(begin + share, elements);
  if (begin == end) return;
  unsigned low = 0, high = rows;
  while (high - low > 1) { const unsigned mid = (low + high) / 2; if (row_begin[mid] <= begin) low = mid; else high = mid; }
  for (unsigned row = low; begin < end; ++row) {
    const unsigned stop = min(end, row_begin[row + 1]);
    if (stop == begin) continue;
    float sum = 0;
    for (unsigned i = begin + lane; i < stop; i += 32) sum += value[i] * x[column[i]];
    for (int s = 16; s; s /= 2) sum += __shfl_xor_sync(~0u, sum, s);
    if (lane == 0) atomicAdd(&y[row], sum);
    begin = stop;
  }
}
