// SPDX-License-Identifier: Apache-2.0
#include <mma.h>

using namespace nvcuda;

__global__ void product(float* out, const __half* a, const __half* b, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  const int row = 16 * blockIdx.y;
  const int column = 16 * blockIdx.x;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(out + row * n + column, sum, n, wmma::mem_row_major);
}
