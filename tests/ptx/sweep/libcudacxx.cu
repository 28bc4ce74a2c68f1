// SPDX-License-Identifier: Apache-2.0
// cuda:: and cuda::std: atomics, barriers, pipelines, access properties, complex numbers.
#include <cooperative_groups.h>

#include <cuda/annotated_ptr>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#define KERNEL(name) extern "C" __global__ void name(int* out, int* in)
KERNEL(atomic_int) {
  cuda::atomic_ref<int, cuda::thread_scope_device> a(*out);
  a.fetch_add(in[threadIdx.x], cuda::memory_order_relaxed);
  a.fetch_max(3);
  a.fetch_xor(3);
  a.store(3);
  out[1] = a.load() + a.exchange(3);
  int e = 3;
  a.compare_exchange_strong(e, 4);
}
KERNEL(atomic_float) {
  cuda::atomic_ref<float, cuda::thread_scope_block> a(*(float*)out);
  a.fetch_add(1.5f);
  a.fetch_min(2.f);
}
KERNEL(atomic_wide) {
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> a(*(unsigned long long*)out);
  a.fetch_sub(1);
  a.fetch_and(7, cuda::memory_order_acq_rel);
  a++;
  a.load(cuda::memory_order_acquire);
  a.store(1, cuda::memory_order_release);
}
KERNEL(barrier) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  auto t = b.arrive();
  b.wait(cuda::std::move(t));
  b.arrive_and_wait();
  out[threadIdx.x] = 1;
}
KERNEL(copy_with_barrier) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int s[256];
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, 4, b);
  b.arrive_and_wait();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
KERNEL(block_copy_with_barrier) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  alignas(16) __shared__ int s[256];
  auto blk = cooperative_groups::this_thread_block();
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(blk, s, in, cuda::aligned_size_t<16>(1024), b);
  b.arrive_and_wait();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
KERNEL(block_pipeline) {
  auto blk = cooperative_groups::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
  __shared__ int s[512];
  auto p = cuda::make_pipeline(blk, &st);
  p.producer_acquire();
  cuda::memcpy_async(blk, s, in, 1024, p);
  p.producer_commit();
  p.consumer_wait();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
  p.consumer_release();
}
KERNEL(thread_pipeline) {
  auto p = cuda::make_pipeline();
  __shared__ int s[512];
  p.producer_acquire();
  cuda::memcpy_async(s + threadIdx.x, in + threadIdx.x, 4, p);
  p.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(p);
  out[threadIdx.x] = s[threadIdx.x];
  p.consumer_release();
}
KERNEL(complex_numbers) {
  cuda::std::complex<float> a(in[0], in[1]), b(in[2], in[3]);
  auto c = a * b / (a + b) + exp(a) + sqrt(b);
  ((cuda::std::complex<float>*)out)[threadIdx.x] = c;
}
KERNEL(bit_functions) {
  out[0] = cuda::std::popcount((unsigned)in[0]) + cuda::std::countl_zero((unsigned)in[1]) +
           cuda::std::rotl((unsigned)in[2], 5) + cuda::std::bit_cast<int>(1.0f * in[3]);
}
KERNEL(thread_fences) {
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
}
KERNEL(persisting_loads) {
  cuda::access_property ap(cuda::access_property::persisting{});
  cuda::annotated_ptr<int, cuda::access_property::persisting> p(in);
  out[threadIdx.x] = p[threadIdx.x];
}
KERNEL(apply_access_property) {
  cuda::apply_access_property(in, 1024, cuda::access_property::persisting{});
  cuda::discard_memory(out, 1024);
}
KERNEL(atomic_wait) {
  cuda::std::atomic<int>* a = (cuda::std::atomic<int>*)out;
  a->fetch_add(1);
  a->wait(0);
  a->notify_all();
}
KERNEL(streaming_store) {
  cuda::associate_access_property(in, cuda::access_property::streaming{})[0] = 1;
}
KERNEL(narrow_atomics) {
  cuda::atomic_ref<short, cuda::thread_scope_device> a(*(short*)out);
  a.fetch_add(1);
  cuda::atomic_ref<char, cuda::thread_scope_device> b(*(char*)out);
  b.exchange(1);
  int e;
  cuda::atomic_ref<double, cuda::thread_scope_device> d(*(double*)out);
  d.fetch_add(1.0);
}
KERNEL(barrier_drop) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  b.arrive_and_drop();
  auto t = b.arrive(2);
  out[0] = b.try_wait_for(cuda::std::move(t), cuda::std::chrono::nanoseconds(100));
  b.wait_parity(true);
}
