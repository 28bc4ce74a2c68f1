// SPDX-License-Identifier: Apache-2.0
// Exercise tensor_cores/tile: multiply matrices of halves on tensor cores, with each loaded element
// used by a whole block, and each fragment by several products.
//
// Input: `a`, `m` rows of `k` halves, and `b`, `k` rows of `n` halves, row by row. All sides are
// multiples of 64.
// Output: `c`, `m` rows of `n` floats: c = a * b, with sums in single precision.
// Launch: n / 64 x m / 64 blocks of 128 threads; no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow. Each warp computes 16 rows and 64 columns, 16 x 16 at a time,
// and loads the fragments of each product from global memory: for one product it loads two fragments,
// and the other warps of the block load most of them again. Load tiles of 64 rows and 64 columns into
// shared memory, and give each warp 2 x 2 sums. Then run
//   ./warpgrade grade tensor_cores/tile
#include <mma.h>

using namespace nvcuda;

__global__ void matmul(float* c, const half* a, const half* b, int m, int n, int k) {
  const int warp = threadIdx.x / 32;
  const int row = blockIdx.y * 64 + warp * 16;
  for (int part = 0; part < 4; ++part) {
    const int column = blockIdx.x * 64 + part * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int first = 0; first < k; first += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
      wmma::load_matrix_sync(left, a + row * k + first, k);
      wmma::load_matrix_sync(right, b + first * n + column, n);
      wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
  }
}
