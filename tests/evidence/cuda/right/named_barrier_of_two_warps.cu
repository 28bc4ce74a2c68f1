// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 96 --arg out:i32:96
extern "C" __global__ void k(int* out) {
  __shared__ int data[64];
  if (threadIdx.x < 64) {
    data[threadIdx.x] = threadIdx.x;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = data[63 - threadIdx.x];
  } else {
    out[threadIdx.x] = 1;
  }
}
