// SPDX-License-Identifier: Apache-2.0
// sincosf with values instead of addresses.
__global__ void kernel(float* out) {
  float s, c;
  sincosf(1.0f, s, c);
  out[threadIdx.x] = s + c;
}
