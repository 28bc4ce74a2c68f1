// SPDX-License-Identifier: Apache-2.0
// Splits all elements into parts of 512, which the warps of the grid process in turn. Each warp
// adds its part of a row to y, which starts as 0.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  constexpr unsigned kPart = 512;
  const unsigned warps = gridDim.x * 8, warp = blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32, elements = row_begin[rows];
  for (unsigned part = warp; part * kPart < elements; part += warps) {
    const unsigned begin = part * kPart, end = min(begin + kPart, elements);
    unsigned low = 0, high = rows;  // row_begin[low] <= begin < row_begin[high]
    while (high - low > 1) {
      const unsigned middle = low + (high - low) / 2;
      (row_begin[middle] <= begin ? low : high) = middle;
    }
    unsigned at = begin;
    for (unsigned row = low; at < end; ++row) {
      const unsigned stop = min(end, row_begin[row + 1]);
      float sum = 0;
#pragma unroll 4
      for (unsigned i = at + lane; i < stop; i += 32) sum += value[i] * x[column[i]];
      if (at == stop) continue;
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
      if (lane == 0) atomicAdd(y + row, sum);
      at = stop;
    }
  }
}
