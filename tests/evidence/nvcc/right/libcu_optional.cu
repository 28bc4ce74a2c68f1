// SPDX-License-Identifier: Apache-2.0
// cuda::std::optional.
// launch: --kernel find --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
#include <cuda/std/optional>
__device__ cuda::std::optional<int> halved(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}
__global__ void find(const int* in, int* out) { out[threadIdx.x] = halved(in[threadIdx.x]).value_or(-1); }
