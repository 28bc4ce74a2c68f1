// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
extern "C" __global__ void k(int* out) {
  __shared__ int data[32];
  const int i = threadIdx.x;
  if (i < 16) {
    data[i] = i;
    __syncwarp(0x0000ffff);
    out[i] = data[15 - i];
  } else {
    data[i] = -i;
    __syncwarp(0xffff0000);
    out[i] = data[47 - i];
  }
}
