// SPDX-License-Identifier: Apache-2.0
// A semicolon is missing after an assignment.
__global__ void scale(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i]
}
