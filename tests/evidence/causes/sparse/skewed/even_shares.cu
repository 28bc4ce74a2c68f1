// SPDX-License-Identifier: Apache-2.0
// cause: global_atomics|atomic_contention line=19
// says: All warps have equal shares, but each product is an atomic on y: add the products of a
//   row in registers first, and make one atomic for each row of a warp.
// never: Divide long rows among more warps
// Every warp gets the same number of elements, wherever the rows begin.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  const unsigned warps = gridDim.x * 8, warp = blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned total = row_begin[rows], share = (total + warps - 1) / warps;
  const unsigned begin = min(warp * share, total), end = min(begin + share, total);
  unsigned row = 0, above = rows;  // last row that begins at or before `begin`
  while (above - row > 1) {
    const unsigned middle = (row + above) / 2;
    if (row_begin[middle] <= begin) row = middle; else above = middle;
  }
  for (unsigned i = begin + threadIdx.x % 32; i < end; i += 32) {
    while (row_begin[row + 1] <= i) ++row;
    atomicAdd(&y[row], value[i] * x[column[i]]);
  }
}
