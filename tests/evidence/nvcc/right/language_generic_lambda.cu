// SPDX-License-Identifier: Apache-2.0
// A generic lambda with a capture by value, called with two types.
// launch: --kernel scaled --grid 1 --block 64 --arg out:f32:64
__global__ void scaled(float* out) {
  const float factor = 0.25f;
  const auto scale = [factor](auto x) { return factor * x; };
  out[threadIdx.x] = scale(threadIdx.x) + scale(1.5);
}
