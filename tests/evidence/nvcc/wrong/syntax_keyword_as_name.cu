// SPDX-License-Identifier: Apache-2.0
// A keyword as a variable name.
__global__ void kernel(int* out) {
  int new = threadIdx.x;
  out[threadIdx.x] = new;
}
