// SPDX-License-Identifier: Apache-2.0
// A block with a partial last warp.
// launch: --kernel counted --grid 1 --block 40 --arg out:i32:40
__global__ void counted(int* out) {
  const unsigned mask = __ballot_sync(threadIdx.x < 32 ? 0xffffffff : 0xff, 1);
  out[threadIdx.x] = __popc(mask);
}
