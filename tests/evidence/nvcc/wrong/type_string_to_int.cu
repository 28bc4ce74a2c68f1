// SPDX-License-Identifier: Apache-2.0
// A string assigned to an int.
__global__ void kernel(int* out) {
  int x = "12";
  out[threadIdx.x] = x;
}
