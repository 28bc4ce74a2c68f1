// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=sectors_loaded
// cause: uncoalesced_load line=10
// One thread per row.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned row = blockIdx.x * 8 + threadIdx.x;
  if (threadIdx.x >= 8 || row >= rows) return;
  float sum = 0;
  for (unsigned i = row_begin[row]; i < row_begin[row + 1]; ++i) sum += value[i] * x[column[i]];
  y[row] = sum;
}
