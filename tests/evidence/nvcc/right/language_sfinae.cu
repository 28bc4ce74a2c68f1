// SPDX-License-Identifier: Apache-2.0
// std::enable_if and type traits choose an overload.
// launch: --kernel converted --grid 1 --block 32 --arg out:f32:32
#include <type_traits>
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
__device__ float as_float(T x) {
  return x + 0.5f;
}
template <typename T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0>
__device__ float as_float(T x) {
  return static_cast<float>(x * 2);
}
__global__ void converted(float* out) { out[threadIdx.x] = as_float(threadIdx.x) + as_float(1.25); }
