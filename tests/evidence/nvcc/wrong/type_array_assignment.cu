// SPDX-License-Identifier: Apache-2.0
// Assigning whole arrays.
__global__ void kernel(int* out) {
  int a[2] = {1, 2}, b[2];
  b = a;
  out[threadIdx.x] = b[0];
}
