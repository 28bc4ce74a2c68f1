// SPDX-License-Identifier: Apache-2.0
// cuda::std type traits select a branch.
// launch: --kernel traits --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cuda/std/type_traits>
template <typename T>
__device__ float halved(T x) {
  if constexpr (cuda::std::is_integral_v<T>) return x / 2;
  else return x / 2;
}
__global__ void traits(const float* in, float* out) {
  out[threadIdx.x] = halved(in[threadIdx.x]) * 100 + halved(static_cast<int>(in[threadIdx.x]));
}
