// SPDX-License-Identifier: Apache-2.0
// A pointer assigned to a float.
__global__ void kernel(float* out, const float* in) {
  float x = in;
  out[threadIdx.x] = x;
}
