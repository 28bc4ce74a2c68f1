// SPDX-License-Identifier: Apache-2.0
// launch: --grid 8 --block 32 --arg out:i32:1
__device__ int lock;
extern "C" __global__ void k(int* out) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *out += 1;
  __threadfence();
  atomicExch(&lock, 0);
}
