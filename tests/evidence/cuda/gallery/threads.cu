// SPDX-License-Identifier: Apache-2.0
// Atomics, copies, barriers and groups of threads.

//--- async_copy
// __pipeline_memcpy_async into shared memory: 4, 8 and 16 bytes, two stages.
// launch: grid 4 block 128
#include <cuda_pipeline.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned words[2][128];
  __shared__ __align__(16) uint2 pairs[128];
  __shared__ __align__(16) uint4 quads[128];
  const unsigned t = threadIdx.x;
  __pipeline_memcpy_async(&words[0][t], in + blockIdx.x * 128 + t, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&words[1][t], in + 512 + blockIdx.x * 128 + t, 4);
  __pipeline_memcpy_async(&pairs[t], in + 2 * t, 8);
  __pipeline_memcpy_async(&quads[t], in + 4 * t, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  unsigned r = words[0][127 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  r += words[1][t ^ 1] + pairs[(t + 1) % 128].y * 3 + quads[(t + 5) % 128].y +
       quads[(t + 5) % 128].z;
  out[blockIdx.x * 128 + t] = r;
}

//--- async_copy_groups
// cooperative_groups::memcpy_async and wait.
// launch: grid 4 block 128
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ __align__(16) unsigned tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in + blockIdx.x * 128, sizeof tile);
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = tile[127 - threadIdx.x] + 1;
}

//--- atomics_block_scope
// Atomics of block and system scope in shared and global memory, and the sum of their return
// values.
// launch: grid 4 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned counter;
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) {
    counter = 0;
    total = 0;
  }
  __syncthreads();
  const unsigned rank = atomicAdd_block(&counter, 1U);
  atomicAdd_block(&total, static_cast<unsigned long long>(rank));
  atomicMax_system(&out[100 + blockIdx.x], in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<unsigned>(total) + counter;
}

//--- atomics_floats
// Atomic sums of floats and doubles. Small integer values make the result independent of the
// order.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<float*>(&out[v]), static_cast<float>(v));
  atomicAdd(reinterpret_cast<double*>(&out[128]) + v, static_cast<double>(v) * 0.5);
  atomicExch(reinterpret_cast<float*>(&out[512]), 3.0F);
}

//--- atomics_integers
// Every integer atomic on 32 and 64 bits whose final state does not depend on the order.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  atomicAdd(&out[0], v);
  atomicSub(&out[1], v);
  atomicMax(&out[2], v);
  atomicMin(&out[3], ~v >> 1);
  atomicMax(reinterpret_cast<int*>(&out[4]), static_cast<int>(v));
  atomicMin(reinterpret_cast<int*>(&out[5]), static_cast<int>(v));
  atomicAnd(&out[6], v | 0xff00ff);
  atomicOr(&out[7], v & 0xf0f0f);
  atomicXor(&out[8], v);
  atomicInc(&out[9], 99);
  atomicDec(&out[10], 77);
  auto* wide = reinterpret_cast<unsigned long long*>(out + 16);
  const unsigned long long w = (static_cast<unsigned long long>(v) << 20) + i;
  atomicAdd(&wide[0], w);
  atomicMax(&wide[1], w);
  atomicMin(&wide[2], w);
  atomicAnd(&wide[3], w);
  atomicOr(&wide[4], w);
  atomicXor(&wide[5], w);
  atomicMax(reinterpret_cast<long long*>(&wide[6]), -static_cast<long long>(w));
  atomicExch(&out[40 + i % 64], 5U);
  out[128 + i % 512] = atomicCAS(&out[700], 12345U, 1U);
}

//--- bfloat16_atomics
// Atomic sums of __nv_bfloat16 and pairs of them with small integer values.
// launch: grid 4 block 256
#include <cuda_bf16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<__nv_bfloat162*>(&out[v]), __floats2bfloat162_rn(1.0F, 2.0F));
  atomicAdd(reinterpret_cast<__nv_bfloat16*>(&out[128]) + v, __float2bfloat16(1.0F));
}

//--- block_barrier
// cuda::barrier over a block: arrive, wait, twice.
// launch: grid 4 block 64
#include <cuda/barrier>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ unsigned data[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  data[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  barrier.arrive_and_wait();
  const unsigned v = data[63 - threadIdx.x];
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  data[threadIdx.x] = v * 2;
  barrier.arrive_and_wait();
  out[blockIdx.x * 64 + threadIdx.x] = data[(threadIdx.x + 1) % 64];
}

//--- cas_loop
// An atomic multiplication by a compare-and-swap loop, and a spin lock between blocks' leaders.
// launch: grid 4 block 64

__device__ unsigned lock = 0;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned v = in[blockIdx.x * 64 + threadIdx.x] | 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) atomicExch(&out[1], 0U);
  unsigned* target = &out[8 + threadIdx.x % 8];
  unsigned old = *static_cast<volatile unsigned*>(target);
  unsigned seen;
  do {
    seen = old;
    old = atomicCAS(target, seen, (seen | 1) * v);
  } while (old != seen);
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0U, 1U) != 0U) {
    }
    __threadfence();
    atomicAdd(&out[0], in[blockIdx.x]);
    __threadfence();
    atomicExch(&lock, 0U);
  }
}

//--- coalesced_groups
// coalesced_threads and labeled partitions: counts and ranks among lanes that took a branch.
// launch: grid 4 block 256
#include <cooperative_groups.h>

namespace cg = cooperative_groups;
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned result = 0;
  if (in[i] % 3 != 0) {
    const auto active = cg::coalesced_threads();
    result = active.size() * 100 + active.thread_rank();
    result += active.shfl(in[i], 0) & 0xffff0000;
    active.sync();
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  result += warp.ballot(in[i] & 1) & 0xff;
  result += warp.any(in[i] == 7) + 2 * warp.all(in[i] != 7);
  out[i] = result;
}

//--- divergence_early_exit
// Nested divergence, breaks out of nested loops, threads that leave early.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  if (v % 11 == 0) return;
  unsigned r = 0;
  for (unsigned a = 0; a < v % 13; ++a) {
    for (unsigned b = 0; b < 9; ++b) {
      if ((a * b + v) % 17 == 0) goto found;
      if (b > v % 8) break;
      r += a ^ b;
    }
    if (r % 5 == 4) continue;
    r = r * 3 + 1;
  }
  r += 1000;
found:
  out[i] = r;
}

//--- half_atomics
// Atomic sums of __half and __half2 with small integer values.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<__half2*>(&out[v]),
            __halves2half2(__float2half(1.0F), __float2half(2.0F)));
  atomicAdd(reinterpret_cast<__half*>(&out[128]) + v, __float2half(1.0F));
}

//--- shuffles
// All shuffles, widths below 32, 64-bit and double values.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  unsigned r = __shfl_sync(0xffffffff, v, threadIdx.x + 3);
  r += __shfl_sync(0xffffffff, v, 5, 8);
  r ^= __shfl_up_sync(0xffffffff, v, 3, 16);
  r += __shfl_down_sync(0xffffffff, v, 9);
  r ^= __shfl_xor_sync(0xffffffff, v, 17);
  r += __shfl_xor_sync(0xffffffff, v, 3, 4);
  const double d = __shfl_down_sync(0xffffffff, static_cast<double>(v) / 3.0, 1);
  const unsigned long long w =
      __shfl_xor_sync(0xffffffff, static_cast<unsigned long long>(v) << 9, 1);
  out[i] = r + static_cast<unsigned>(__double_as_longlong(d) >> 17) + static_cast<unsigned>(w >> 8);
}

//--- spin_in_warp
// The lanes of a warp take a lock one at a time: needs independent thread scheduling.
// launch: grid 1 block 32

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned lock;
  __shared__ unsigned sum;
  if (threadIdx.x == 0) {
    lock = 0;
    sum = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0U, 1U) == 0U) {
      atomicAdd(&sum, in[threadIdx.x]);
      __threadfence_block();
      atomicExch(&lock, 0U);
      done = true;
    }
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

//--- syncthreads_votes
// __syncthreads_count, _and, _or, and a named barrier that only half of the warps reach.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r = static_cast<unsigned>(__syncthreads_count(in[i] & 1));
  r = r * 2 + static_cast<unsigned>(__syncthreads_and(in[i] != 0) != 0);
  r = r * 2 + static_cast<unsigned>(__syncthreads_or((in[i] & 0xfff) == 5) != 0);
  if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;");
  __syncwarp();
  out[i] = r;
}

//--- vote_match
// Votes, ballots, matches and warp reductions.
// launch: grid 4 block 128

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i];
  unsigned r = __ballot_sync(0xffffffff, v & 1);
  r ^= __all_sync(0xffffffff, v != 3) * 5 + __any_sync(0xffffffff, (v & 15) == 3) * 7;
  r += __match_any_sync(0xffffffff, v & 3);
  int same = 0;
  r += __match_all_sync(0xffffffff, v >> 31, &same) + same;
  r ^= __match_any_sync(0xffffffff, static_cast<unsigned long long>(v & 7) << 33);
#if __CUDA_ARCH__ >= 800
  r += __reduce_add_sync(0xffffffff, v) ^ __reduce_min_sync(0xffffffff, v) ^
       __reduce_max_sync(0xffffffff, v) ^ __reduce_xor_sync(0xffffffff, v) ^
       static_cast<unsigned>(__reduce_max_sync(0xffffffff, static_cast<int>(v)));
#endif
  if (v & 2) r += __popc(__activemask()) > 0;
  out[i] = r;
}
