// SPDX-License-Identifier: Apache-2.0
// An array of negative size.
__global__ void kernel(int* out) {
  int a[4 - 8];
  out[threadIdx.x] = sizeof a;
}
