// SPDX-License-Identifier: Apache-2.0
// A parameter without a type.
__global__ void kernel(float* out, n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
}
