// SPDX-License-Identifier: Apache-2.0
// Warp-level functions: shuffles of every width, votes, matches, partial masks, aggregated atomics.
//
// launch: shuffle_widths grid 4 block 256
// launch: shuffle_types grid 4 block 128
// launch: shuffle_divergent grid 4 block 64
// launch: match_groups grid 4 block 256
// launch: reduce_sync grid 4 block 256
// launch: partial_masks grid 4 block 80
// launch: aggregated_atomics grid 4 block 256
// launch: warp_transpose grid 4 block 32
// launch: producer_consumer grid 4 block 64
// launch: leader_election grid 4 block 96
// launch: active_masks grid 2 block 64
// launch: odd_blocks grid 5,3,2 block 7,3,2
// launch: one_thread grid 3 block 1
// launch: early_exit_barrier grid 4 block 200
// launch: votes_of_blocks grid 3 block 176
// launch: warp_matrix_vector grid 2 block 32,4
// launch: special_registers grid 2,2,2 block 4,5,6
// launch: bit_reversal_permutation grid 4 block 32,8

extern "C" __global__ void shuffle_widths(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  unsigned r = 0;
  for (int width = 1; width <= 32; width <<= 1) {
    r = r * 7 + __shfl_sync(0xffffffff, x, static_cast<int>(x >> 3), width);
    r = r * 7 + __shfl_up_sync(0xffffffff, x, 3, width);
    r = r * 7 + __shfl_down_sync(0xffffffff, x, 5, width);
    r = r * 7 + __shfl_xor_sync(0xffffffff, x, 9, width);
  }
  r += __shfl_sync(0xffffffff, x, -1) + __shfl_sync(0xffffffff, x, 77, 16) * 3;
  r += __shfl_up_sync(0xffffffff, x, 40) + __shfl_down_sync(0xffffffff, x, 33) * 5;
  r += __shfl_xor_sync(0xffffffff, x, 35, 32) + __shfl_up_sync(0xffffffff, x, 0, 8);
  out[i] = r;
}
extern "C" __global__ void shuffle_types(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  const double d = __shfl_xor_sync(0xffffffff, x * 1.5, 7);
  const long long l = __shfl_down_sync(0xffffffff, static_cast<long long>(x) << 17, 3, 16);
  const unsigned long long u = __shfl_sync(0xffffffff, x * 0x100000007ull, 12);
  const float f = __shfl_up_sync(0xffffffff, x * 0.1f, 2);
  const long n = __shfl_xor_sync(0xffffffff, static_cast<long>(x), 1);
  out[i] = static_cast<unsigned>(__double_as_longlong(d) >> 11) ^ static_cast<unsigned>(l >> 9) ^
           static_cast<unsigned>(u >> 31) ^ __float_as_uint(f) ^ static_cast<unsigned>(n >> 3);
}
extern "C" __global__ void shuffle_divergent(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], lane = threadIdx.x & 31;
  unsigned r = x;
  if (lane % 3 == 0)
    r += __shfl_sync(0x49249249, x, 9);
  else if (lane % 3 == 1)
    r += __shfl_sync(0x92492492, x, static_cast<int>(lane / 3) * 3 + 1) * 3;
  else
    r ^= __shfl_sync(0x24924924, x, 2);
  if (lane < 20) {
    for (int d = 1; d <= 8; d *= 2) {
      const unsigned y = __shfl_down_sync(0xfffff, r, d);
      if (lane + d < 20) r += y;
    }
  }
  __syncwarp();
  out[i] = r;
}
extern "C" __global__ void match_groups(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  int all = 7, none = 7;
  unsigned r = __match_any_sync(0xffffffff, x & 3);
  r ^= __match_any_sync(0xffffffff, static_cast<unsigned long long>(x % 5) << 33) * 3;
  r ^= __match_any_sync(0xffffffff, (x & 1) * -0.0f) * 5;
  r ^= __match_all_sync(0xffffffff, blockIdx.x, &all);
  r ^= __match_all_sync(0xffffffff, x, &none) + 11 * all + 13 * none;
  if (threadIdx.x & 1) r += __match_any_sync(0xaaaaaaaa, x & 4);
  out[i] = r;
}
extern "C" __global__ void reduce_sync(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
#if __CUDA_ARCH__ >= 800
  unsigned r = __reduce_add_sync(0xffffffff, x) ^ __reduce_min_sync(0xffffffff, x) * 3;
  r ^= __reduce_max_sync(0xffffffff, x) * 5 ^
       static_cast<unsigned>(__reduce_min_sync(0xffffffff, static_cast<int>(x)));
  r ^= static_cast<unsigned>(__reduce_max_sync(0xffffffff, static_cast<int>(x))) * 7;
  r += __reduce_and_sync(0xffffffff, x | 0xffff) + __reduce_or_sync(0xffffffff, x & 0xf0f) +
       __reduce_xor_sync(0xffffffff, x);
  if (x & 1) r += __reduce_add_sync(__activemask(), 1u);
  out[i] = r;
#else
  out[i] = x;
#endif
}
extern "C" __global__ void partial_masks(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[80];
  const unsigned t = threadIdx.x, lane = t & 31, i = blockIdx.x * 80 + t;
  s[t] = in[i];
  const unsigned mask = __ballot_sync(t < 64 ? 0xffffffff : 0xffff, lane % 4 != 3);
  unsigned r = 0;
  if (lane % 4 != 3) {
    __syncwarp(mask);
    r = s[t ^ (lane % 4 == 0 ? 1 : lane % 4 == 1 ? 1 : 0)];
    __syncwarp(mask);
    s[t] = r * 3;
    __syncwarp(mask);
    r += s[lane % 4 == 2 ? t - 2 : t];
    r += __any_sync(mask, r & 64) + __all_sync(mask, r & 1) * 2 +
         __popc(__ballot_sync(mask, r & 2)) * 4;
  }
  out[i] = r;
}
__device__ unsigned cursor;
__device__ unsigned aggregated_add(unsigned* counter) {
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
  unsigned base = 0;
  if (lane == leader) base = atomicAdd(counter, __popc(active));
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & ((1u << lane) - 1));
}
extern "C" __global__ void aggregated_atomics(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 5 < 2) {
    const unsigned place = aggregated_add(&cursor);
    atomicAdd(&out[0], place);
    atomicXor(&out[1], in[i]);
    atomicMax(&out[2], place);
  }
}
extern "C" __global__ void warp_transpose(unsigned* out, const unsigned* in) {
  const unsigned lane = threadIdx.x;
  unsigned row[8];
  for (int k = 0; k < 8; ++k) row[k] = in[blockIdx.x * 256 + k * 32 + lane];
#pragma unroll
  for (int d = 1; d < 8; d *= 2) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & d) continue;
      const bool up = lane & d;
      const unsigned send = up ? row[k] : row[k | d];
      const unsigned got = __shfl_xor_sync(0xffffffff, send, d);
      if (up)
        row[k] = got;
      else
        row[k | d] = got;
    }
  }
  for (int k = 0; k < 8; ++k) out[blockIdx.x * 256 + lane * 8 + k] = row[k];
}
// Warp 0 fills a ring that warp 1 empties; each waits for the other's count.
extern "C" __global__ void producer_consumer(unsigned* out, const unsigned* in) {
  __shared__ unsigned ring[4][32];
  __shared__ unsigned produced, consumed;
  if (threadIdx.x == 0) produced = consumed = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned sum = 0;
  for (unsigned step = 0; step < 16; ++step) {
    if (threadIdx.x < 32) {
      while (step - atomicAdd(&consumed, 0u) >= 4) {
      }
      __threadfence_block();
      atomicExch(&ring[step % 4][lane], in[blockIdx.x * 512 + step * 32 + lane]);
      __threadfence_block();
      __syncwarp();
      if (lane == 0) atomicAdd(&produced, 1u);
    } else {
      while (atomicAdd(&produced, 0u) <= step) __nanosleep(20);
      __threadfence_block();
      sum = sum * 3 + atomicAdd(&ring[step % 4][31 - lane], 0u);
      __threadfence_block();
      __syncwarp();
      if (lane == 0) atomicAdd(&consumed, 1u);
    }
  }
  if (threadIdx.x >= 32) out[blockIdx.x * 32 + lane] = sum;
}
extern "C" __global__ void leader_election(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i] % 7, r = 0;
  bool pending = true;
  while (pending) {  // one group of equal values per iteration
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1;
    const unsigned chosen = __shfl_sync(mask, x, leader);
    const unsigned group = __ballot_sync(mask, x == chosen);
    if (x == chosen) {
      r = group * 8 + x;
      pending = false;
    }
  }
  out[i] = r;
}
extern "C" __global__ void active_masks(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned r = __activemask();
  if (in[i] & 1) {
    r ^= __activemask() * 3;
    if (in[i] & 2) r ^= __activemask() * 5;
    __syncwarp(__activemask());
  }
  __syncwarp();
  r += __popc(__activemask());
  out[i] = r;
}
extern "C" __global__ void odd_blocks(unsigned* out, const unsigned* in) {
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  __shared__ unsigned s[42];
  s[t] = in[b * 42 + t];
  __syncthreads();
  const unsigned mask = t < 32 ? 0xffffffff : 0x3ff;
  const unsigned sum = s[41 - t] + __shfl_xor_sync(mask, s[t], 1);
  if (b * 42 + t < 1024) out[b * 42 + t] = sum + __popc(__ballot_sync(__activemask(), sum & 1));
}
extern "C" __global__ void one_thread(unsigned* out, const unsigned* in) {
  unsigned sum = __ballot_sync(1, in[0] & 1) + __shfl_sync(1, in[1], 0);
  for (int k = 0; k < 100; ++k) sum = sum * 31 + in[blockIdx.x * 100 + k];
  __syncthreads();
  out[blockIdx.x] = sum + __activemask();
}
extern "C" __global__ void early_exit_barrier(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[200];
  const unsigned t = threadIdx.x, i = blockIdx.x * 200 + t;
  if (t >= 150) return;
  s[t] = in[i];
  __syncthreads();
  if (t >= 100) return;
  out[i] = s[t + 50];
  __syncthreads();
  s[t] += out[i];
  __syncthreads();
  out[i] += s[99 - t];
}
extern "C" __global__ void votes_of_blocks(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 176 + threadIdx.x;
  const int count = __syncthreads_count(in[i] & 1);
  const int all = __syncthreads_and(in[i] != 0), none = __syncthreads_and(in[i] & 4);
  const int some = __syncthreads_or(in[i] == 0), one = __syncthreads_or(threadIdx.x == 170);
  out[i] = static_cast<unsigned>(count * 16 + (all != 0) * 8 + (none != 0) * 4 + (some != 0) * 2 +
                                 (one != 0));
}
extern "C" __global__ void warp_matrix_vector(unsigned* out, const unsigned* in) {
  const unsigned row = blockIdx.x * 4 + threadIdx.y;
  float sum = 0;
  for (unsigned k = threadIdx.x; k < 100; k += warpSize) sum += (in[row * 100 + k] & 0xff) * 0.5f;
  for (int d = warpSize >> 1; d >= 1; d >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, d, warpSize);
  if (threadIdx.x % warpSize == 0) out[row] = __float_as_uint(sum);
}
extern "C" __global__ void special_registers(unsigned* out, const unsigned* in) {
  unsigned lane, warp, less, less_equal, greater, equal, n;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(less_equal));
  asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(greater));
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(equal));
  asm("mov.u32 %0, %%ntid.y;" : "=r"(n));
  asm("mov.u32 %0, %%nctaid.z;" : "=r"(warp));
  unsigned sm, warps, total;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(warps));
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(total));
  const long long before = clock64();
  const unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  const bool sane = sm < warps && clock64() >= before && time > 0 && total == 0;
  out[b * 120 + t] = (less ^ less_equal * 3 ^ greater * 5 ^ equal) + lane * 7 + n * 11 + warp * 13 +
                     sane + in[t] * 0;
}
extern "C" __global__ void bit_reversal_permutation(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 256 + threadIdx.y * 32 + threadIdx.x;
  out[__brev(i) >> 22] = in[i];
}
