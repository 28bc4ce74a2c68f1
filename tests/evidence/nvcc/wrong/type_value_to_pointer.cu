// SPDX-License-Identifier: Apache-2.0
// A number assigned to a pointer.
__global__ void kernel(float* out) {
  float* p = out[0];
  p[threadIdx.x] = 1;
}
