// SPDX-License-Identifier: Apache-2.0
// A keyword as the name of a variable.
__global__ void kernel(int* out) {
  int new = threadIdx.x;
  out[threadIdx.x] = new;
}
