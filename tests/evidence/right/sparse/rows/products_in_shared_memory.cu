// SPDX-License-Identifier: Apache-2.0
// The block streams the elements of its eight rows and stores the products in shared memory. Each
// warp then sums the products of one row.
__global__ void spmv(float* y, const unsigned* row_begin, const unsigned* column,
                     const float* value, const float* x, unsigned rows) {
  __shared__ float products[1024];
  const unsigned first = blockIdx.x * 8, last = min(first + 8, rows);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool has_row = first + warp < rows;
  const unsigned mine = has_row ? row_begin[first + warp] : 0;
  const unsigned end = has_row ? row_begin[first + warp + 1] : 0;
  const unsigned all = row_begin[last];
  float sum = 0;
  for (unsigned part = row_begin[first]; part < all; part += 1024) {
    const unsigned stop = min(part + 1024, all);
    for (unsigned i = part + threadIdx.x; i < stop; i += 256) {
      products[i - part] = value[i] * x[column[i]];
    }
    __syncthreads();
    for (unsigned i = max(mine, part) + lane; i < min(end, stop); i += 32) sum += products[i - part];
    __syncthreads();
  }
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0 && has_row) y[first + warp] = sum;
}
