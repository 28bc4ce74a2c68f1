// SPDX-License-Identifier: Apache-2.0
// cuda::std::tuple, tie, and structured bindings.
// launch: --kernel tuples --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
#include <cuda/std/tuple>
__device__ cuda::std::tuple<float, float> bounds(float x) { return {x - 1, x * 2}; }
__global__ void tuples(const float* in, float* out) {
  float low, high;
  cuda::std::tie(low, high) = bounds(in[threadIdx.x]);
  auto [a, b] = bounds(low);
  out[threadIdx.x] = high + a * b;
}
