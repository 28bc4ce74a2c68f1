// SPDX-License-Identifier: Apache-2.0
// A full-width semicolon from a web page.
__global__ void kernel(int* out) {
  out[threadIdx.x] = 1；
}
