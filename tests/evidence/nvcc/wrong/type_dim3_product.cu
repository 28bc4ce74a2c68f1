// SPDX-License-Identifier: Apache-2.0
// Multiplying blockIdx by blockDim as vectors.
__global__ void kernel(int* out) {
  int i = blockIdx * blockDim + threadIdx;
  out[i] = 1;
}
