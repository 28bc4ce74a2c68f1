// SPDX-License-Identifier: Apache-2.0
// Cooperative groups and libcu++: labeled partitions, copies awaited by barriers and pipelines,
// atomics with scopes and orders, semaphores, arrays, tuples, spans, variants.
//
// launch: labeled_parts grid 4 block 64
// launch: binary_parts grid 4 block 64
// launch: tiles_of_tiles grid 4 block 64
// launch: copies_of_groups grid 4 block 64
// launch: barrier_tracked_copies grid 4 block 64
// launch: pipeline_of_block grid 4 block 64
// launch: pipeline_with_roles grid 2 block 96
// launch: scoped_references grid 4 block 64
// launch: semaphores grid 2 block 64
// launch: library_values grid 4 block 64
// launch: library_spans grid 4 block 64
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

namespace cg = cooperative_groups;

extern "C" __global__ void labeled_parts(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, x = in[i];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto same = cg::labeled_partition(warp, x % 5);
  unsigned r = same.size() * 100 + same.thread_rank();
  r = r * 31 + cg::reduce(same, x & 0xffff, cg::plus<unsigned>());
  r = r * 31 + cg::reduce(same, x, cg::greater<unsigned>());
  r ^= same.shfl(x, same.size() - 1) + same.any((x & 63) == 9) + 2 * same.all(x > 100);
  const auto odd = cg::labeled_partition(same, x >> 4 & 1);
  r += cg::inclusive_scan(odd, x & 255) * 7 + same.match_any(x & 0xf00) % 1021;
  same.sync();
  out[i] = r;
}

extern "C" __global__ void binary_parts(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, x = in[i];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const auto half = cg::binary_partition(tile, (x & 7) > 2);
  unsigned r = half.ballot(x & 1) + half.thread_rank() * 1000 + half.size() * 100000;
  r = r * 31 + cg::exclusive_scan(half, x & 1023) + cg::reduce(half, x, cg::bit_xor<unsigned>());
  if (x & 8) {
    const auto here = cg::coalesced_threads();
    const auto quarter = cg::binary_partition(here, x & 16);
    r += quarter.shfl_down(x, 1) * (quarter.thread_rank() + 1 < quarter.size());
  }
  out[i] = r;
}

extern "C" __global__ void tiles_of_tiles(unsigned* out, const unsigned* in) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(tile);
  const auto two = cg::tiled_partition<2>(eight);
  const unsigned i = blockIdx.x * 64 + block.thread_rank(), x = in[i];
  unsigned r = eight.meta_group_rank() + 10 * eight.meta_group_size() + 100 * two.meta_group_rank();
  r = r * 31 + cg::reduce(eight, x & 0xfff, cg::plus<unsigned>()) + two.shfl_xor(x, 1);
  r = r * 31 + cg::inclusive_scan(tile, static_cast<int>(x & 511), cg::less<int>());
  r += cg::invoke_one_broadcast(eight, [&] { return in[eight.meta_group_rank()] & 0xff; }) * 3;
  out[i] = r + block.group_dim().x + block.group_index().x;
}

extern "C" __global__ void copies_of_groups(unsigned* out, const unsigned* in) {
  __shared__ alignas(16) unsigned whole[256], part[2][32], odd[37];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const unsigned t = threadIdx.x;
  cg::memcpy_async(block, whole, in + 256 * blockIdx.x, cuda::aligned_size_t<16>(sizeof whole));
  cg::memcpy_async(block, odd, in + 3 + blockIdx.x, sizeof odd);
  cg::wait_prior<1>(block);
  unsigned r = whole[255 - t] + whole[(t * 5) % 256];
  cg::wait(block);
  r = r * 31 + odd[t % 37];
  cg::memcpy_async(tile, part[tile.meta_group_rank()], 32, in + 64 * blockIdx.x, 20);
  cg::wait(tile);
  out[blockIdx.x * 64 + t] = r * 31 + part[tile.meta_group_rank()][(t * 3) % 20];
}

extern "C" __global__ void barrier_tracked_copies(unsigned* out, const unsigned* in) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier bar[2];
  __shared__ unsigned tile[2][64];
  const unsigned t = threadIdx.x;
  if (t < 2) init(&bar[t], 64);
  __syncthreads();
  unsigned r = 0;
  cuda::memcpy_async(&tile[0][t], in + blockIdx.x * 64 + t, sizeof(unsigned), bar[0]);
  auto token = bar[0].arrive();
  for (unsigned stage = 1; stage < 6; ++stage) {
    const unsigned now = stage & 1;
    cuda::memcpy_async(&tile[now][t], in + (blockIdx.x + 4 * stage) * 64 + t, sizeof(unsigned),
                       bar[now]);
    auto next = bar[now].arrive();
    bar[now ^ 1].wait(cuda::std::move(token));
    r = r * 31 + tile[now ^ 1][63 - t] + tile[now ^ 1][t ^ 1];
    __syncthreads();
    token = cuda::std::move(next);
  }
  bar[1].wait(cuda::std::move(token));
  out[blockIdx.x * 64 + t] = r * 31 + tile[1][(t + 9) % 64];
}

extern "C" __global__ void pipeline_of_block(unsigned* out, const unsigned* in) {
  constexpr unsigned kStages = 3;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ unsigned tile[kStages][64];
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const unsigned t = threadIdx.x;
  unsigned r = 0;
  for (unsigned step = 0, fetched = 0; step < 8; ++step) {
    for (; fetched < 8 && fetched < step + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetched % kStages], in + (blockIdx.x * 8 + fetched) * 64,
                         sizeof tile[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    r = r * 31 + tile[step % kStages][(t * 7) % 64];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = r;
}

extern "C" __global__ void pipeline_with_roles(unsigned* out, const unsigned* in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ unsigned tile[2][64];
  const auto block = cg::this_thread_block();
  const unsigned t = threadIdx.x;
  const auto role = t < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  unsigned r = 0;
  for (unsigned step = 0; step < 6; ++step) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      for (unsigned k = t; k < 64; k += 32) {
        cuda::memcpy_async(&tile[step & 1][k], in + (blockIdx.x * 6 + step) * 64 + k,
                           sizeof(unsigned), pipe);
      }
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      r = r * 31 + tile[step & 1][(t * 5) % 64];
      pipe.consumer_release();
    }
  }
  if (t >= 32) out[blockIdx.x * 64 + t - 32] = r;
}

extern "C" __global__ void scoped_references(unsigned* out, const unsigned* in) {
  __shared__ unsigned words[4];
  __shared__ cuda::atomic<int, cuda::thread_scope_block> balance;
  __shared__ double total;
  const unsigned t = threadIdx.x, x = in[blockIdx.x * 64 + t];
  if (t == 0) words[0] = words[1] = words[3] = 0, words[2] = ~0u, total = 0;
  if (t == 0) balance.store(100, cuda::memory_order_relaxed);
  __syncthreads();
  using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;
  Ref(words[0]).fetch_add(x & 0xff, cuda::memory_order_relaxed);
  Ref(words[1]).fetch_max(x, cuda::memory_order_acq_rel);
  Ref(words[2]).fetch_and(x | 0xff00ff, cuda::memory_order_seq_cst);
  balance.fetch_sub(static_cast<int>(x & 3));
  unsigned seen = Ref(words[3]).load(cuda::memory_order_acquire);
  while (!Ref(words[3]).compare_exchange_weak(seen, seen + (x & 15), cuda::memory_order_release,
                                              cuda::memory_order_relaxed)) {
  }
  cuda::atomic_ref<double, cuda::thread_scope_block>(total).fetch_add((x & 31) * 0.5);
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> all(out[512]);
  all.fetch_xor(x);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system>(
      *reinterpret_cast<unsigned long long*>(out + 514))
      .fetch_add(x, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_block);
  __syncthreads();
  if (t < 4) out[blockIdx.x * 8 + t] = words[t];
  if (t == 4) out[blockIdx.x * 8 + 4] = static_cast<unsigned>(balance.load());
  if (t == 5) out[blockIdx.x * 8 + 5] = static_cast<unsigned>(total * 2);
}

extern "C" __global__ void semaphores(unsigned* out, const unsigned* in) {
  using Binary = cuda::binary_semaphore<cuda::thread_scope_block>;
  __shared__ Binary* door;
  __shared__ alignas(Binary) unsigned char place[sizeof(Binary)];
  __shared__ unsigned sum, most;
  const unsigned t = threadIdx.x;
  if (t == 0) door = new (place) Binary(1), sum = 0, most = 0;
  __syncthreads();
  if (t % 16 == 0) {
    for (int k = 0; k < 3; ++k) {
      door->acquire();
      sum = sum + (in[blockIdx.x * 64 + t + k] & 0xffff);
      most = max(most, in[blockIdx.x * 64 + t + k]);
      door->release();
    }
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = sum + most * 3 + t;
}

struct Sum {
  template <typename... Values>
  __device__ unsigned operator()(Values... values) const {
    return (static_cast<unsigned>(values) + ...);
  }
};
struct Third {
  template <typename T>
  __device__ unsigned operator()(const T& value) const {
    return static_cast<unsigned>(value) / 3;
  }
  __device__ unsigned operator()(const cuda::std::pair<int, int>& value) const {
    return static_cast<unsigned>(value.first * value.second);
  }
};
extern "C" __global__ void library_values(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x, x = in[i];
  cuda::std::array<unsigned, 5> five = {x, x >> 3, x >> 7, x >> 11, x >> 17};
  unsigned r = five.front() + five.back() * 3 + static_cast<unsigned>(five.size());
  for (auto& each : five) each = each * 5 + 1;
  const auto maybe = [&](unsigned k) -> cuda::std::optional<unsigned> {
    if ((five[k % 5] & 3) == 0) return cuda::std::nullopt;
    return five[k % 5] % 1000;
  };
  for (unsigned k = 0; k < 5; ++k) r = r * 31 + maybe(k).value_or(7);
  const auto three = cuda::std::make_tuple(x & 0xff, (x >> 8) * 0.5f, static_cast<short>(x));
  const auto [a, b, c] = three;
  r += a + static_cast<unsigned>(b) + static_cast<unsigned>(c) * 9;
  r += cuda::std::apply(Sum(), three);
  cuda::std::variant<unsigned, float, cuda::std::pair<int, int>> any = x;
  if (x & 1) any = static_cast<float>(x & 0xffff) * 2;
  if (x & 2) any = cuda::std::make_pair(static_cast<int>(x & 63), -3);
  r = r * 31 + cuda::std::visit(Third(), any);
  out[i] = r + static_cast<unsigned>(any.index());
}

extern "C" __global__ void library_spans(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  const cuda::std::span<const unsigned> all(in, 4096);
  const auto row = all.subspan(i * 8 % 4000, 24);
  unsigned r = row.front() + row.back();
  for (const unsigned word : row.first(10)) r = r * 31 + word;
  for (const unsigned word : row.last<5>()) r = r * 33 + word;
  const cuda::std::mdspan<const unsigned, cuda::std::extents<int, cuda::std::dynamic_extent, 32>>
      rows(in, 128);
  const cuda::std::mdspan<const unsigned, cuda::std::dextents<int, 2>, cuda::std::layout_left>
      columns(in, 64, 64);
  const int a = static_cast<int>(i % 100), b = static_cast<int>(i % 32);
  r += rows(a, b) * 3 + columns(a % 64, b) * 5;
  r += static_cast<unsigned>(rows.extent(0) + rows.extent(1) * 2 + columns.stride(1));
  out[i] = r;
}
