// SPDX-License-Identifier: Apache-2.0
// A case label without a colon.
__global__ void kernel(int* out) {
  switch (threadIdx.x % 2) {
    case 0 out[threadIdx.x] = 5; break;
    default: out[threadIdx.x] = 6;
  }
}
