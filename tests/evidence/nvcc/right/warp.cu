// SPDX-License-Identifier: Apache-2.0
// Warp intrinsics. corpus.py describes the parts.

//--- warp_compaction
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

//--- warp_last_block_threads
// A block with a partial last warp.
// launch: --kernel counted --grid 1 --block 40 --arg out:i32:40
__global__ void counted(int* out) {
  const unsigned mask = __ballot_sync(threadIdx.x < 32 ? 0xffffffff : 0xff, 1);
  out[threadIdx.x] = __popc(mask);
}

//--- warp_match
// __match_any_sync and __match_all_sync.
// launch: --kernel groups --grid 1 --block 32 --arg out:u32:32
__global__ void groups(unsigned* out) {
  int same;
  const unsigned t = threadIdx.x;
  const unsigned any = __match_any_sync(0xffffffff, t % 5);
  const unsigned all = __match_all_sync(0xffffffff, t / 32, &same);
  out[t] = any + (all & 0xff) + same;
}

//--- warp_partial_mask
// Shuffles among the remaining lanes after half of the warp has returned.
// launch: --kernel rest --grid 1 --block 32 --arg out:i32:32
__global__ void rest(int* out) {
  const int t = threadIdx.x;
  out[t] = -1;
  if (t % 2) return;
  const unsigned evens = 0x55555555;
  int sum = t;
  for (int step = 16; step > 1; step /= 2) sum += __shfl_xor_sync(evens, sum, step);
  out[t] = sum;
}

//--- warp_reduce
// __reduce_add_sync, min, max, and, or, xor.
// launch: --kernel totals --grid 1 --block 32 --arg out:i32:32
__global__ void totals(int* out) {
  const unsigned all = 0xffffffff;
  const int x = 7 * int(threadIdx.x) - 50;
  const unsigned u = threadIdx.x * 0x10101u;
  out[threadIdx.x] = __reduce_add_sync(all, x) + __reduce_min_sync(all, x) + __reduce_max_sync(all, x) +
                     int(__reduce_and_sync(all, u | 8) + __reduce_or_sync(all, u) + __reduce_xor_sync(all, u));
}

//--- warp_shuffle_both_branches
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

//--- warp_shuffle_in_branch
// Shuffles in a branch, with the mask of the lanes that take it.
// launch: --kernel halves --grid 1 --block 32 --arg out:i32:32
__global__ void halves(int* out) {
  const int t = threadIdx.x;
  int value = t * t;
  const unsigned mask = __ballot_sync(0xffffffff, t < 12);
  if (t < 12) value += __shfl_sync(mask, value, 11 - t);
  out[t] = value;
}

//--- warp_shuffle_scan
// An inclusive scan with __shfl_up_sync.
// launch: --kernel scan --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
__global__ void scan(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(0xffffffff, sum, step);
    if (threadIdx.x >= step) sum += below;
  }
  out[threadIdx.x] = sum;
}

//--- warp_shuffle_sum
// A warp's sum with __shfl_down_sync and __shfl_xor_sync.
// launch: --kernel sums --grid 1 --block 64 --arg in:f32:64:iota --arg out:f32:64
__global__ void sums(const float* in, float* out) {
  float down = in[threadIdx.x], all = down;
  for (int step = 16; step > 0; step /= 2) {
    down += __shfl_down_sync(0xffffffff, down, step);
    all += __shfl_xor_sync(0xffffffff, all, step);
  }
  out[threadIdx.x] = threadIdx.x % 32 == 0 ? down : all * 0.5f;
}

//--- warp_shuffle_types
// Shuffles of double, long long, unsigned and half-width segments.
// launch: --kernel moved --grid 1 --block 32 --arg out:f64:32
__global__ void moved(double* out) {
  const unsigned all = 0xffffffff;
  const double d = __shfl_sync(all, threadIdx.x * 0.1, 7);
  const long long l = __shfl_xor_sync(all, (long long)threadIdx.x << 34, 1);
  const unsigned u = __shfl_down_sync(all, threadIdx.x, 3, 8);
  const float f = __shfl_up_sync(all, 1.5f * threadIdx.x, 2, 16);
  out[threadIdx.x] = d + double(l) + u + f;
}

//--- warp_syncwarp
// Neighbouring lanes exchange values through shared memory with __syncwarp().
// launch: --kernel exchange --grid 1 --block 64 --arg in:i32:64:iota --arg out:i32:64
__global__ void exchange(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t] * 3;
  __syncwarp();
  const int other = tile[t ^ 1];
  __syncwarp();
  tile[t] = other + 1;
  __syncwarp();
  out[t] = tile[t ^ 2];
}

//--- warp_votes
// __ballot_sync, __all_sync, __any_sync and __activemask.
// launch: --kernel votes --grid 1 --block 32 --arg out:u32:32
__global__ void votes(unsigned* out) {
  const unsigned all = 0xffffffff, t = threadIdx.x;
  out[t] = __ballot_sync(all, t % 3 == 0) + __all_sync(all, t < 32) * 7 + __any_sync(all, t > 31) * 5 + (__activemask() == all);
}
