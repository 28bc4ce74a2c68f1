// SPDX-License-Identifier: Apache-2.0
// Duplicate case labels.
__global__ void kernel(int* out) {
  switch (threadIdx.x) {
    case 1: out[0] = 1; break;
    case 1: out[1] = 2; break;
  }
}
