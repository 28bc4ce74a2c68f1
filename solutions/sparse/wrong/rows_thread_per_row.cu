// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: uncoalesced_load line=11
// The CSR kernel of every introduction: one thread per row. The launch has 32 threads per row, so
// the first 1/32 of the blocks does all the work.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float dot = 0;
  for (unsigned j = row_begin[row]; j < row_begin[row + 1]; ++j) dot += value[j] * x[column[j]];
  y[row] = dot;
}
