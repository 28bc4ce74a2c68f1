// SPDX-License-Identifier: Apache-2.0
// Exercise sparse/rows: the product of a sparse matrix in CSR form and a vector.
//
// Input: the elements of row r are value[i] for i from row_begin[r] to row_begin[r + 1] - 1, and
//   column[i] is the column of element i. `x` has one float per column. Rows can be empty, and a
//   column can occur twice in a row.
// Output: y[r] is the sum of value[i] * x[column[i]] over the elements of row r. Inputs are small
//   multiples of 1/8, so sums are exact in any order.
// Launch: ceil(rows / 8) blocks of 256 threads, no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, but one thread walks over each row, so lanes load values of different
// rows, and 248 threads of each block have no work. Give a row to a warp. Then run
//   ./warpgrade grade sparse/rows

__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x;
  if (threadIdx.x >= 8 || row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row]; i < row_begin[row + 1]; ++i) sum += value[i] * x[column[i]];
  y[row] = sum;
}
