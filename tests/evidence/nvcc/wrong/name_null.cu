// SPDX-License-Identifier: Apache-2.0
// nil instead of nullptr.
__global__ void kernel(int* out) {
  if (out != nil) out[threadIdx.x] = 1;
}
