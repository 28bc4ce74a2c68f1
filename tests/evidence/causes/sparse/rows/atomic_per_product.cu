// SPDX-License-Identifier: Apache-2.0
// cause: global_atomics|atomic_contention line=14
// says: Every product is an atomic on the same word of y: add in a register, sum the lanes by
//   shuffles and store once.
// never: several threads load the same
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  if (lane == 0) y[row] = 0;
  __syncwarp();
  const unsigned end = row_begin[row + 1];
  for (unsigned i = row_begin[row] + lane; i < end; i += 32) {
    atomicAdd(y + row, value[i] * x[column[i]]);
  }
}
