// SPDX-License-Identifier: Apache-2.0
// __match_any_sync and __match_all_sync.
// launch: --kernel groups --grid 1 --block 32 --arg out:u32:32
__global__ void groups(unsigned* out) {
  int same;
  const unsigned t = threadIdx.x;
  const unsigned any = __match_any_sync(0xffffffff, t % 5);
  const unsigned all = __match_all_sync(0xffffffff, t / 32, &same);
  out[t] = any + (all & 0xff) + same;
}
