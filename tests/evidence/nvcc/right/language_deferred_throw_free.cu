// SPDX-License-Identifier: Apache-2.0
// A noexcept conversion operator.
// launch: --kernel converted --grid 1 --block 32 --arg out:f32:32
struct Celsius {
  float degrees;
  __device__ operator float() const noexcept { return degrees * 1.8f + 32; }
};
__global__ void converted(float* out) { out[threadIdx.x] = Celsius{1.0f * threadIdx.x}; }
