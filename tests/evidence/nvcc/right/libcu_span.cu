// SPDX-License-Identifier: Apache-2.0
// cuda::std::span over part of an array.
// launch: --kernel parts --grid 1 --block 8 --arg in:i32:64:iota --arg out:i32:8
#include <cuda/std/span>
__device__ int sum(cuda::std::span<const int> values) {
  int total = 0;
  for (int v : values) total += v;
  return total;
}
__global__ void parts(const int* in, int* out) {
  out[threadIdx.x] = sum(cuda::std::span<const int>(in + 8 * threadIdx.x, 8).subspan(threadIdx.x % 4));
}
