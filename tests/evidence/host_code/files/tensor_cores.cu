// SPDX-License-Identifier: Apache-2.0
// A tensor core product, with host code that fills halves.
// left out: fill_random, main
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdlib>
using namespace nvcuda;
__global__ void product(const half* a, const half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
void fill_random(half* p, int n) {
  while (n-- > 0) p[n] = __float2half(rand() / (float)RAND_MAX);
}
int main() { product<<<1, 32>>>(nullptr, nullptr, nullptr); }
