// SPDX-License-Identifier: Apache-2.0
// cuda::barrier, cuda::pipeline, named barriers, cuda::atomic, cuda::latch.
//
// launch: arrive_then_wait grid 4 block 128
// launch: producer_and_consumers grid 2 block 160
// launch: arrive_and_drop grid 2 block 64
// launch: completion_function grid 2 block 96
// launch: pipeline_stages grid 4 block 64
// launch: pipeline_of_thread grid 4 block 64
// launch: named_barriers grid 4 block 96
// launch: red_barriers grid 4 block 128
// launch: atomic_orders grid 4 block 64
// launch: atomic_refs grid 4 block 128
// launch: latch grid 2 block 64
// launch: double_buffered_product grid 2,2 block 16,16
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void arrive_then_wait(unsigned* out, const unsigned* in) {
  __shared__ Barrier bar;
  __shared__ unsigned s[128];
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, blockDim.x);
  __syncthreads();
  unsigned x = in[blockIdx.x * 128 + t];
  for (int step = 0; step < 5; ++step) {
    s[t] = x;
    auto token = bar.arrive();
    x ^= step * 77;  // independent work
    bar.wait(cuda::std::move(token));
    x += s[(t + step * 33 + 1) % 128];
    bar.arrive_and_wait();
  }
  out[blockIdx.x * 128 + t] = x;
}
// Warp 0 fills two buffers in turn; four warps consume them.
extern "C" __global__ void producer_and_consumers(unsigned* out, const unsigned* in) {
  __shared__ unsigned buffer[2][128];
  __shared__ Barrier ready[2], filled[2];
  const unsigned t = threadIdx.x;
  if (t < 2) {
    init(&ready[t], 160);
    init(&filled[t], 160);
  }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < 6; ++i) {
      ready[i % 2].arrive_and_wait();
      for (int k = 0; k < 4; ++k)
        buffer[i % 2][k * 32 + t] = in[(i * 128 + k * 32 + t) * (blockIdx.x + 1)];
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    unsigned sum = 0;
    for (int i = 0; i < 6; ++i) {
      filled[i % 2].arrive_and_wait();
      sum = sum * 5 + buffer[i % 2][(t + 3) % 128];
      (void)ready[i % 2].arrive();
    }
    out[blockIdx.x * 128 + t - 32] = sum;
  }
}
extern "C" __global__ void arrive_and_drop(unsigned* out, const unsigned* in) {
  __shared__ Barrier bar;
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  s[t] = in[blockIdx.x * 64 + t];
  if (t % 4 == 3) {
    bar.arrive_and_drop();
    return;
  }
  bar.arrive_and_wait();
  unsigned r = s[t / 4 * 4 + 3];
  bar.arrive_and_wait();
  s[t] = r;
  bar.arrive_and_wait();
  r += s[t ^ (t % 4 == 0 ? 1 : t % 4 == 1 ? 1 : 0)] * 3;
  out[blockIdx.x * 64 + t] = r;
}
struct Completion {
  unsigned* count;
  __device__ void operator()() noexcept { *count += 1; }
};
extern "C" __global__ void completion_function(unsigned* out, const unsigned* in) {
  __shared__ unsigned phases;
  __shared__ alignas(cuda::barrier<cuda::thread_scope_block, Completion>) unsigned char
      place[sizeof(cuda::barrier<cuda::thread_scope_block, Completion>)];
  auto* bar = reinterpret_cast<cuda::barrier<cuda::thread_scope_block, Completion>*>(place);
  if (threadIdx.x == 0) {
    phases = 0;
    init(bar, blockDim.x, Completion{&phases});
  }
  __syncthreads();
  for (int k = 0; k < 3; ++k) bar->arrive_and_wait();
  out[blockIdx.x * 96 + threadIdx.x] = phases * 1000 + in[threadIdx.x] % 1000;
}
extern "C" __global__ void pipeline_stages(unsigned* out, const unsigned* in) {
  constexpr int kStages = 3;
  __shared__ unsigned s[kStages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const unsigned* from = in + blockIdx.x * 512;
  unsigned sum = 0;
  for (int batch = 0, next = 0; batch < 8; ++batch) {
    for (; next < 8 && next < batch + kStages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[next % kStages], from + next * 64, sizeof(unsigned) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + s[batch % kStages][63 - threadIdx.x];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
extern "C" __global__ void pipeline_of_thread(unsigned* out, const unsigned* in) {
  __shared__ alignas(16) uint4 s[2][64];
  auto pipe = cuda::make_pipeline();
  const uint4* from = reinterpret_cast<const uint4*>(in) + blockIdx.x * 256 + threadIdx.x;
  const auto fetch = [&](int k) {
    pipe.producer_acquire();
    cuda::memcpy_async(&s[k % 2][threadIdx.x], from + k * 64, sizeof(uint4), pipe);
    pipe.producer_commit();
  };
  fetch(0);
  unsigned sum = 0;
  for (int k = 0; k < 4; ++k) {
    if (k < 3) fetch(k + 1);
    if (k < 3)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    const uint4 q = s[k % 2][threadIdx.x];
    sum = sum * 7 + q.x + q.y * 3 + q.z * 5 + q.w;
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// Three warps, two named barriers of 64 threads each: warp 0 arrives at 1 and waits at 2.
extern "C" __global__ void named_barriers(unsigned* out, const unsigned* in) {
  __shared__ unsigned a[32], b[32];
  const unsigned t = threadIdx.x, lane = t % 32;
  if (t < 32) {
    a[lane] = in[blockIdx.x * 32 + lane];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    asm volatile("barrier.sync 2, 64;" ::: "memory");
    out[blockIdx.x * 96 + t] = b[31 - lane];
  } else if (t < 64) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[blockIdx.x * 96 + t] = a[31 - lane] * 3;
  } else {
    b[lane] = in[blockIdx.x * 32 + lane + 1000];
    asm volatile("barrier.arrive 2, 64;" ::: "memory");
    out[blockIdx.x * 96 + t] = lane;
  }
}
extern "C" __global__ void red_barriers(unsigned* out, const unsigned* in) {
  const unsigned x = in[blockIdx.x * 128 + threadIdx.x];
  unsigned count, any, all;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(x & 1));
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; barrier.red.or.pred q, 3, 128, p; selp.u32 %0, 1, "
      "0, q; }"
      : "=r"(any)
      : "r"(x % 100 == 0 ? 1 : 0));
  asm volatile(
      "{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.and.pred q, 4, !p; selp.u32 %0, 1, 0, q; }"
      : "=r"(all)
      : "r"(x == 5 ? 1 : 0));
  out[blockIdx.x * 128 + threadIdx.x] = count * 4 + any * 2 + all;
}
extern "C" __global__ void atomic_orders(unsigned* out, const unsigned* in) {
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> sum, high, flag;
  __shared__ cuda::std::atomic<unsigned long long> wide;
  __shared__ unsigned message;
  const unsigned t = threadIdx.x, x = in[blockIdx.x * 64 + t];
  if (t == 0) {
    sum.store(0, cuda::memory_order_relaxed);
    high = 0;
    flag = 0;
    wide = 5;
  }
  __syncthreads();
  sum.fetch_add(x, cuda::memory_order_relaxed);
  high.fetch_max(x, cuda::memory_order_acq_rel);
  wide += x;
  if (t == 40) {
    message = 1234 + x;
    flag.store(1, cuda::memory_order_release);
  }
  unsigned got = 0;
  if (t == 3) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    got = message;
  }
  unsigned expected = sum.load();
  while (!sum.compare_exchange_weak(expected, expected ^ x, cuda::memory_order_seq_cst)) {
  }
  __syncthreads();
  const unsigned long long w = wide.load();
  out[blockIdx.x * 64 + t] =
      high.load() + got + static_cast<unsigned>(w) + static_cast<unsigned>(w >> 32);
}
extern "C" __global__ void atomic_refs(unsigned* out, const unsigned* in) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> total(out[0]);
  cuda::atomic_ref<int, cuda::thread_scope_system> low(reinterpret_cast<int&>(out[1]));
  const unsigned x = in[blockIdx.x * 128 + threadIdx.x];
  total.fetch_add(x);
  low.fetch_min(static_cast<int>(x), cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[2]).fetch_or(1u << (x & 31));
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(out[3]).fetch_xor(x);
  cuda::atomic_ref<float, cuda::thread_scope_device>(reinterpret_cast<float&>(out[4]))
      .fetch_add(static_cast<float>(x & 15));
  cuda::atomic_ref<double, cuda::thread_scope_device>(reinterpret_cast<double&>(out[6]))
      .fetch_add(static_cast<double>(x & 15));
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
extern "C" __global__ void latch(unsigned* out, const unsigned* in) {
  __shared__ cuda::latch<cuda::thread_scope_block>* gate;
  __shared__ alignas(16) unsigned char latch_place[sizeof(cuda::latch<cuda::thread_scope_block>)];
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x;
  if (t == 0) {
    gate = new (latch_place) cuda::latch<cuda::thread_scope_block>(64);
  }
  __syncthreads();
  s[t] = in[blockIdx.x * 64 + t];
  gate->arrive_and_wait();
  out[blockIdx.x * 64 + t] = s[63 - t];
}
// 32 x 32 times 32 x 32; the next tiles are in flight while the current ones are used.
extern "C" __global__ void double_buffered_product(unsigned* out, const unsigned* in) {
  __shared__ unsigned a[2][16][16], b[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  const auto fetch = [&](int stage, int k) {
    __pipeline_memcpy_async(&a[stage][ty][tx], in + row * 32 + k * 16 + tx, sizeof(unsigned));
    __pipeline_memcpy_async(&b[stage][ty][tx], in + 1024 + (k * 16 + ty) * 32 + column,
                            sizeof(unsigned));
    __pipeline_commit();
  };
  fetch(0, 0);
  unsigned sum = 0;
  for (int k = 0; k < 2; ++k) {
    if (k + 1 < 2) {
      fetch(1, 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += a[k][ty][e] * b[k][e][tx];
    __syncthreads();
  }
  out[row * 32 + column] = sum;
}
