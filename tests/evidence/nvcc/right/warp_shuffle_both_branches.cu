// SPDX-License-Identifier: Apache-2.0
// Full-mask shuffles in both branches, whose lanes meet since Volta.
// launch: --kernel swapped --grid 1 --block 32 --arg out:i32:32
__global__ void swapped(int* out) {
  const int t = threadIdx.x;
  int value;
  if (t < 16) {
    value = __shfl_xor_sync(0xffffffff, t * 2, 16);
  } else {
    value = __shfl_xor_sync(0xffffffff, t + 100, 16);
  }
  out[t] = value;
}
