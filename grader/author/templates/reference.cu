// SPDX-License-Identifier: Apache-2.0
// FILL IN: the expected result, as simply as possible; nobody times this kernel
__global__ void REFERENCE(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
