// SPDX-License-Identifier: Apache-2.0
// A number at the start of a name.
__global__ void kernel(int* out) {
  int 2nd = threadIdx.x;
  out[threadIdx.x] = 2nd;
}
