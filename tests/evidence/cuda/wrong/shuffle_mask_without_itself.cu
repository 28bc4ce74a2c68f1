// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | shuffle_mask_without_itself.cu:9:3: divergent_barrier: lane 16 executes this with the mask 0x0000ffff, which does not name lane 16 itself: the result is undefined; the mask of a warp-synchronous call must contain exactly the lanes that make it
// |     9 |   out[i] = __shfl_sync(0x0000ffff, i, 0);  // all 32 lanes
// |       |   ^
// |       block (0, 0, 0), thread (16, 0, 0)
extern "C" __global__ void k(int* out) {
  const int i = threadIdx.x;
  out[i] = __shfl_sync(0x0000ffff, i, 0);  // all 32 lanes
}
