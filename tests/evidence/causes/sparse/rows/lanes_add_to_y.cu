// SPDX-License-Identifier: Apache-2.0
// cause: missing_atomic line=14
// says: The 32 lanes of a warp add to y[row] with a plain +=, so products get lost: sum in
//   registers and by shuffles, or use atomicAdd.
// never: __syncthreads;split
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  if (lane == 0) y[row] = 0;
  __syncwarp();
  float* s = &y[row];
  for (unsigned i = row_begin[row] + lane; i < row_begin[row + 1]; i += 32) {
    *s += value[i] * x[column[i]];
  }
}
