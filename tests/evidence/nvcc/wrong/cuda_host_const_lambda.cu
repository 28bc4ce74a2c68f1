// SPDX-License-Identifier: Apache-2.0
// A const host array used in a lambda of a kernel.
const float kScale[2] = {1, 2};
__global__ void kernel(float* out) {
  auto scale = [](int i) { return kScale[i & 1]; };
  out[threadIdx.x] = scale(threadIdx.x);
}
