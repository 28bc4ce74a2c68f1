// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=22
// says: A step loads 64 columns of a, and multiplies only the first 32 of them.
#include <mma.h>
using namespace nvcuda;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  __shared__ __align__(32) half as[64][72], bs[64][72];
  const int t = threadIdx.x, w = t / 32;
  const half* a0 = a + blockIdx.y * 64 * k;
  const half* b0 = b + blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.f);
  for (int kk = 0; kk < k; kk += 64) {
    for (int p = t; p < 512; p += 128) {
      const int r = p / 8, s = p % 8 * 8;
      *(int4*)&as[r][s] = *(const int4*)(a0 + r * k + kk + s);
      *(int4*)&bs[r][s] = *(const int4*)(b0 + (kk + r) * n + s);
    }
    __syncthreads();
    for (int q = 0; q < 32; q += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
      for (int i = 0; i < 2; i++) {
        wmma::load_matrix_sync(fa[i], &as[w / 2 * 32 + 16 * i][q], 72);
        wmma::load_matrix_sync(fb[i], &bs[q][w % 2 * 32 + 16 * i], 72);
      }
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
    }
    __syncthreads();
  }
  float* c0 = c + (blockIdx.y * 64 + w / 2 * 32) * n + blockIdx.x * 64 + w % 2 * 32;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      wmma::store_matrix_sync(c0 + 16 * i * n + 16 * j, acc[i][j], n, wmma::mem_row_major);
}
