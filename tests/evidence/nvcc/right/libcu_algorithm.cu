// SPDX-License-Identifier: Apache-2.0
// cuda::std::swap, exchange, and move.
// launch: --kernel swaps --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/utility>
__global__ void swaps(const int* in, int* out) {
  int a = in[threadIdx.x] * 3, b = 40;
  if (a > b) cuda::std::swap(a, b);
  const int old = cuda::std::exchange(a, 7);
  out[threadIdx.x] = old * 1000 + cuda::std::move(a) + b;
}
