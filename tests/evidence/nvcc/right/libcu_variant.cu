// SPDX-License-Identifier: Apache-2.0
// cuda::std::variant and visit.
// launch: --kernel visits --grid 1 --block 32 --arg in:i32:32:iota --arg out:f32:32
#include <cuda/std/variant>
struct Twice {
  __device__ float operator()(int x) const { return 2 * x; }
  __device__ float operator()(float x) const { return x / 2; }
};
__global__ void visits(const int* in, float* out) {
  cuda::std::variant<int, float> value = in[threadIdx.x];
  if (in[threadIdx.x] % 2 == 1) value = 0.5f * in[threadIdx.x];
  out[threadIdx.x] = cuda::std::visit(Twice{}, value);
}
