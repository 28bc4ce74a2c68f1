// SPDX-License-Identifier: Apache-2.0
// __reduce_add_sync, min, max, and, or, xor.
// launch: --kernel totals --grid 1 --block 32 --arg out:i32:32
__global__ void totals(int* out) {
  const unsigned all = 0xffffffff;
  const int x = 7 * int(threadIdx.x) - 50;
  const unsigned u = threadIdx.x * 0x10101u;
  out[threadIdx.x] = __reduce_add_sync(all, x) + __reduce_min_sync(all, x) + __reduce_max_sync(all, x) +
                     int(__reduce_and_sync(all, u | 8) + __reduce_or_sync(all, u) + __reduce_xor_sync(all, u));
}
