// SPDX-License-Identifier: Apache-2.0
// std::integer_sequence expanded in a fold expression.
// launch: --kernel dots --grid 1 --block 32 --arg out:i32:32
#include <utility>
template <int... Is>
__device__ int dot(int x, std::integer_sequence<int, Is...>) {
  return ((Is * x + Is) + ...);
}
__global__ void dots(int* out) { out[threadIdx.x] = dot(threadIdx.x, std::make_integer_sequence<int, 6>()); }
