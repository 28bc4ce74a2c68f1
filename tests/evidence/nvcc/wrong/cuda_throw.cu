// SPDX-License-Identifier: Apache-2.0
// An exception in a kernel.
__global__ void kernel(int* out, int n) {
  if (n < 0) throw 1;
  out[threadIdx.x] = n;
}
