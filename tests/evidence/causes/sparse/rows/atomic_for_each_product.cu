// SPDX-License-Identifier: Apache-2.0
// cause: global_atomics line=14
// says: Every product costs an atomic on global memory; add in a register of the lane, then the lanes by shuffles,
//   and store once.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float* const result = y + row;
  if (lane == 0) *result = 0.0f;
  __syncwarp();
  const unsigned stop = row_begin[row + 1];
  for (unsigned k = row_begin[row] + lane; k < stop; k += 32)
    atomicAdd(result, value[k] * x[column[k]]);
}
