// SPDX-License-Identifier: Apache-2.0
// __ballot_sync, __all_sync, __any_sync and __activemask.
// launch: --kernel votes --grid 1 --block 32 --arg out:u32:32
__global__ void votes(unsigned* out) {
  const unsigned all = 0xffffffff, t = threadIdx.x;
  out[t] = __ballot_sync(all, t % 3 == 0) + __all_sync(all, t < 32) * 7 + __any_sync(all, t > 31) * 5 + (__activemask() == all);
}
