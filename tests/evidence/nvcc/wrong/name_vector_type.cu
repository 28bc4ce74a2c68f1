// SPDX-License-Identifier: Apache-2.0
// The vector type float5 does not exist.
__global__ void kernel(float* out) {
  float5 v;
  out[threadIdx.x] = 1;
}
