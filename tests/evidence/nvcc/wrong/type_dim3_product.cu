// SPDX-License-Identifier: Apache-2.0
// blockIdx times blockDim as vectors.
__global__ void kernel(int* out) {
  int i = blockIdx * blockDim + threadIdx;
  out[i] = 1;
}
