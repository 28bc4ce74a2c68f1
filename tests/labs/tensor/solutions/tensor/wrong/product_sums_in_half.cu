// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=long_sums
// cause: wrong_rounding
// Sums above 2048 take more bits than a half has.
#include <mma.h>

using namespace nvcuda;

__global__ void product(float* out, const __half* a, const __half* b, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
  wmma::fill_fragment(sum, __float2half(0.0F));
  const int row = 16 * blockIdx.y;
  const int column = 16 * blockIdx.x;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(left, a + row * k + i, k);
    wmma::load_matrix_sync(right, b + i * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> wide;
  for (int e = 0; e < sum.num_elements; ++e) wide.x[e] = __half2float(sum.x[e]);
  wmma::store_matrix_sync(out + row * n + column, wide, n, wmma::mem_row_major);
}
