// SPDX-License-Identifier: Apache-2.0
// Exercise LAB/EXERCISE, solved. FILL IN: the idea, and the kernel, which must earn all points
__global__ void EXERCISE_kernel(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
