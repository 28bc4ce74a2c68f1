// SPDX-License-Identifier: Apache-2.0
// cause: partial_sectors|uncoalesced_load line=15
// says: A lane takes four neighbouring elements one by one, so the lanes of each load are 16
//   bytes apart and use 8 of the 32 bytes of a sector: let lane l take elements l, l + 32, ...
// never: several threads load the same
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const unsigned end = row_begin[row + 1];
  float sum = 0;
  for (unsigned first = row_begin[row] + 4 * lane; first < end; first += 128) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (first + k < end) sum += value[first + k] * x[column[first + k]];
    }
  }
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
