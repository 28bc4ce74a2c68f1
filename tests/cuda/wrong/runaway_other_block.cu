// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:2
__device__ volatile int ready;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (ready == 0) {
    }
  } else {
    ready = 1;
  }
  out[blockIdx.x] = 1;
}
