// SPDX-License-Identifier: Apache-2.0
// An int pointer assigned to a float pointer.
__global__ void kernel(float* out, int* in) {
  float* p = in;
  out[threadIdx.x] = p[threadIdx.x];
}
