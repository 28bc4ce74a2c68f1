// SPDX-License-Identifier: Apache-2.0
// try and catch in a kernel.
__global__ void kernel(int* out) {
  try {
    out[threadIdx.x] = 1;
  } catch (...) {
    out[threadIdx.x] = 2;
  }
}
