// SPDX-License-Identifier: Apache-2.0
// fails: performance gate=speed_h200
// cause: global_atomics line=19
// Balanced: the threads of the grid stride over the elements, find each row by binary search, and
// add to y. But each element costs 15 loads of row_begin and an atomic.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned elements = row_begin[rows], threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += threads) {
    unsigned row = 0, end = rows;  // search for the last row that begins at or before i
    while (end - row > 1) {
      const unsigned middle = (row + end) / 2;
      if (row_begin[middle] <= i) {
        row = middle;
      } else {
        end = middle;
      }
    }
    atomicAdd(&y[row], value[i] * x[column[i]]);
  }
}
