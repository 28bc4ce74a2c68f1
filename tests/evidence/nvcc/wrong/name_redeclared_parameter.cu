// SPDX-License-Identifier: Apache-2.0
// A local variable with the same name as a parameter.
__global__ void kernel(int* out, int n) {
  int n = blockDim.x;
  out[threadIdx.x] = n;
}
