// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: global_atomics line=13
// Lane 0 sets the output to 0, and then every product costs an atomic on global memory.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  if (lane == 0) y[row] = 0;
  __syncwarp();
  const unsigned end = row_begin[row + 1];
  for (unsigned i = row_begin[row] + lane; i < end; i += 32) {
    atomicAdd(&y[row], value[i] * x[column[i]]);
  }
}
