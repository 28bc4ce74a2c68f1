// SPDX-License-Identifier: Apache-2.0
// Morton codes by bit tricks.
// launch: --kernel codes --grid 1 --block 32 --arg out:u32:32
__device__ unsigned spread(unsigned x) {
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}
__global__ void codes(unsigned* out) { out[threadIdx.x] = spread(threadIdx.x * 7) | spread(threadIdx.x * 13) << 1; }
