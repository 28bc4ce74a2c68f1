// SPDX-License-Identifier: Apache-2.0
// A loop variable used after its loop.
__global__ void kernel(int* out) {
  for (int i = 0; i < 4; ++i) out[threadIdx.x] = i;
  out[i] = 0;
}
