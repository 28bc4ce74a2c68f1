// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 64 --arg out:i32:64
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  const int lane = threadIdx.x % 32;
  for (int step = 0; step < 2; ++step) {
    if (threadIdx.x < 32) {  // producer warp
      if (step > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      data[lane] = lane + 100 * step;
      __threadfence_block();
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {  // consumer warp
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[32 * step + lane] = data[31 - lane];
      if (step == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
