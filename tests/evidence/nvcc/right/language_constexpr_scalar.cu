// SPDX-License-Identifier: Apache-2.0
// File-scope constexpr and const numbers, used by value in a kernel.
// launch: --kernel scaled --grid 1 --block 32 --arg out:f32:32
constexpr float kScale = 1.5f;
constexpr int kOffset = 7;
const int kSteps = 3;
__global__ void scaled(float* out) {
  float x = threadIdx.x;
  for (int i = 0; i < kSteps; ++i) x = x * kScale + kOffset;
  out[threadIdx.x] = x;
}
