// SPDX-License-Identifier: Apache-2.0
// cuda::std::pair and make_pair.
// launch: --kernel pairs --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/utility>
__global__ void pairs(const int* in, int* out) {
  auto best = cuda::std::make_pair(0, -1);
  for (int i = 0; i < 8; ++i) {
    const auto next = cuda::std::make_pair(in[(threadIdx.x * 7 + i * 5) % 32], i);
    if (best < next) best = next;
  }
  out[threadIdx.x] = best.first * 10 + best.second;
}
