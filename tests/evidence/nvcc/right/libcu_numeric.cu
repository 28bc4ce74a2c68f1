// SPDX-License-Identifier: Apache-2.0
// cuda::std::accumulate and inner_product.
// launch: --kernel sums --grid 1 --block 8 --arg in:i32:64:iota --arg out:i32:16
#include <cuda/std/numeric>
__global__ void sums(const int* in, int* out) {
  const int* row = in + 8 * threadIdx.x;
  out[threadIdx.x] = cuda::std::accumulate(row, row + 8, 100);
  out[8 + threadIdx.x] = cuda::std::inner_product(row, row + 8, in, 0);
}
