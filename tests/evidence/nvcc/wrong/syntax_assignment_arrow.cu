// SPDX-License-Identifier: Apache-2.0
// The operator =< instead of <=.
__global__ void kernel(int* out, int n) {
  if (threadIdx.x =< n) out[threadIdx.x] = 1;
}
