// SPDX-License-Identifier: Apache-2.0
// Stream compaction with __ballot_sync and __popc.
// launch: --kernel compact --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
__global__ void compact(const int* in, int* out) {
  const int x = in[threadIdx.x];
  const bool keep = x % 3 != 1;
  const unsigned mask = __ballot_sync(0xffffffff, keep), below = mask & ((1u << threadIdx.x) - 1);
  out[threadIdx.x] = -7;
  __syncwarp();
  if (keep) out[__popc(below)] = x;
}
