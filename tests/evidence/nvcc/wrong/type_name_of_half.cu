// SPDX-License-Identifier: Apache-2.0
// A function named half, which libcu++ already declares as a type.
#include <cuda/std/optional>
__device__ cuda::std::optional<int> half(int x) {
  if (x % 2 != 0) return cuda::std::nullopt;
  return x / 2;
}
__global__ void find(const int* in, int* out) { out[threadIdx.x] = half(in[threadIdx.x]).value_or(-1); }
