// SPDX-License-Identifier: Apache-2.0
// A warp that returns early; the other warp exchanges values with __syncwarp().
// launch: --kernel leave --grid 1 --block 64 --arg out:i32:64
__global__ void leave(int* out) {
  out[threadIdx.x] = -1;
  if (threadIdx.x >= 32) return;
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}
