// SPDX-License-Identifier: Apache-2.0
// An array with too many initial values.
__global__ void kernel(int* out) {
  int a[2] = {1, 2, 3};
  out[threadIdx.x] = a[threadIdx.x % 2];
}
