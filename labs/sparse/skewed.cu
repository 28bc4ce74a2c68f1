// SPDX-License-Identifier: Apache-2.0
// Exercise sparse/skewed: the product of a sparse matrix with a few very long rows, and a vector.
//
// Input: as in sparse/rows, but one row in about 256 has half of the elements of all of them.
//   `y` is 0 at the start.
// Output: y[r] is the sum of value[i] * x[column[i]] over the elements of row r. Inputs are small
//   multiples of 1/8, so sums are exact in any order.
// Launch: ceil(rows / 8) blocks of 256 threads, no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, with a warp per row. The warps of the long rows work alone at the end,
// while most of the card is idle. Divide the long rows among more threads. Then run
//   ./warpgrade grade sparse/skewed

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;

  const unsigned end = row_begin[row + 1];
  float sum = 0;
  for (unsigned i = row_begin[row] + lane; i < end; i += 32) sum += value[i] * x[column[i]];
  for (unsigned step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
