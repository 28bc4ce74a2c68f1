// SPDX-License-Identifier: Apache-2.0
// A float as an index.
__global__ void kernel(float* out) {
  float i = threadIdx.x;
  out[i] = 1;
}
