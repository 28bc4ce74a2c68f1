// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: tiles of 1 to 32, coalesced, labelled and binary partitions, reduce and scan.
//
// launch: tile_sizes grid 4 block 256
// launch: tile_votes_and_shuffles grid 4 block 128
// launch: coalesced_filter grid 4 block 256
// launch: labeled_groups grid 4 block 128
// launch: binary_groups grid 4 block 128
// launch: reduce_operators grid 2 block 128
// launch: tile_scans grid 4 block 128
// launch: group_copies grid 4 block 128
// launch: group_indices grid 2,2 block 8,4,4
// launch: split_sync grid 4 block 96
// launch: dynamic_partitions grid 2 block 64
// launch: reduce_structures grid 2 block 64
// launch: update_async grid 2 block 128
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cuda/barrier>
namespace cg = cooperative_groups;

template <unsigned kSize>
__device__ unsigned tile_sum(const cg::thread_block& block, unsigned x) {
  const cg::thread_block_tile<kSize> tile = cg::tiled_partition<kSize>(block);
  for (int d = tile.size() / 2; d > 0; d /= 2) x += tile.shfl_down(x, d);
  tile.sync();
  return tile.shfl(x, 0) + tile.meta_group_rank() * 3 + tile.meta_group_size() + tile.thread_rank();
}
extern "C" __global__ void tile_sizes(unsigned* out, const unsigned* in) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  out[i] = tile_sum<1>(block, x) ^ tile_sum<2>(block, x) * 3 ^ tile_sum<4>(block, x) * 5 ^
           tile_sum<8>(block, x) * 7 ^ tile_sum<16>(block, x) * 9 ^ tile_sum<32>(block, x) * 11;
}
extern "C" __global__ void tile_votes_and_shuffles(unsigned* out, const unsigned* in) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto tile = cg::tiled_partition<8>(warp);
  const unsigned i = blockIdx.x * blockDim.x + block.thread_rank(), x = in[i];
  unsigned r = tile.any(x % 16 == 0) + tile.all(x & 1) * 2 + tile.ballot(x & 2) * 4;
  int high = 3;
  r = r * 31 + tile.match_any(x & 3) + tile.match_all(x >> 31, high) * 7 + high;
  r = r * 31 + tile.shfl_up(x, 1) + tile.shfl_xor(x, 5) + warp.shfl(x, static_cast<int>(x % 32));
  r = r * 31 + static_cast<unsigned>(tile.shfl(x * 0.5, 3) * 2) + tile.num_threads();
  if (tile.thread_rank() < 5) {
    const auto active = cg::coalesced_threads();
    r += active.size() * 100 + active.shfl(x, 0) + active.ballot(x & 8);
  }
  out[i] = r;
}
__device__ unsigned filled;
__device__ unsigned add_grouped(unsigned* counter) {
  const auto group = cg::coalesced_threads();
  unsigned first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}
extern "C" __global__ void coalesced_filter(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (static_cast<int>(in[i]) > 0) {
    const unsigned place = add_grouped(&filled);
    atomicAdd(&out[0], 1u);
    atomicAdd(&out[1], place);
    const auto group = cg::coalesced_threads();
    const unsigned sum = cg::reduce(group, in[i], cg::plus<unsigned>());
    if (i >= 2) out[i] = sum;
  }
}
extern "C" __global__ void labeled_groups(unsigned* out, const unsigned* in) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  const auto same = cg::labeled_partition(warp, x % 5);
  const unsigned sum = cg::reduce(same, x >> 8, cg::plus<unsigned>());
  out[i] = sum ^ same.size() << 24 ^ same.thread_rank() << 16 ^
           cg::reduce(same, static_cast<int>(x), cg::greater<int>());
}
extern "C" __global__ void binary_groups(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  unsigned r = 0;
  if (x & 1) {
    const auto part = cg::coalesced_threads();
    r = part.size();
  }
  tile.sync();
  const auto part = cg::binary_partition(tile, (x & 2) != 0);
  r = r * 64 + part.size() * 8 + part.shfl(x, part.size() - 1);
  out[i] = r + part.shfl_down(x, 1) * (part.thread_rank() + 1 < part.size());
}
extern "C" __global__ void reduce_operators(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  unsigned r = cg::reduce(tile, x, cg::bit_and<unsigned>()) ^
               cg::reduce(tile, x, cg::bit_or<unsigned>()) * 3;
  r ^= static_cast<unsigned>(cg::reduce(tile, static_cast<int>(x), cg::less<int>())) * 5;
  r ^= static_cast<unsigned>(
      cg::reduce(tile, static_cast<long long>(x) * x, cg::plus<long long>()) >> 7);
  r ^= __float_as_uint(cg::reduce(tile, x * 0.1f, cg::plus<float>()));
  r ^= static_cast<unsigned>(
      __double_as_longlong(cg::reduce(tile, x * 0.1, cg::greater<double>())) >> 20);
  r ^= cg::reduce(tile, x, [](unsigned a, unsigned b) { return a * b + a + b; });
  r ^= cg::reduce(tile, static_cast<unsigned short>(x), cg::plus<unsigned short>());
  out[i] = r;
}
extern "C" __global__ void tile_scans(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(tile);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  unsigned r = cg::inclusive_scan(tile, x, cg::plus<unsigned>()) ^ cg::exclusive_scan(tile, x) * 3;
  r ^= cg::exclusive_scan(eight, x & 0xff, cg::plus<unsigned>()) * 5;
  r ^= static_cast<unsigned>(cg::inclusive_scan(eight, static_cast<int>(x), cg::greater<int>()));
  r ^= __float_as_uint(cg::inclusive_scan(tile, x * 0.25f));
  if (x & 1) r += cg::exclusive_scan(cg::coalesced_threads(), 1u);
  out[i] = r;
}
extern "C" __global__ void group_copies(unsigned* out, const unsigned* in) {
  __shared__ alignas(16) unsigned s[2][128];
  __shared__ unsigned odd[37];
  const auto block = cg::this_thread_block();
  const unsigned base = blockIdx.x * 512;
  cg::memcpy_async(block, s[0], in + base, sizeof(s[0]));
  cg::memcpy_async(block, s[1], in + base + 128, cuda::aligned_size_t<16>(sizeof(s[1])));
  cg::wait_prior<1>(block);
  unsigned r = s[0][127 - threadIdx.x];
  cg::wait(block);
  r += s[1][threadIdx.x ^ 1] * 3;
  const auto warp = cg::tiled_partition<32>(block);
  if (warp.meta_group_rank() == 1) {
    cg::memcpy_async(warp, odd, in + base + 301, 37 * sizeof(unsigned));
    cg::wait(warp);
    r ^= odd[warp.thread_rank() + 5];
  }
  out[blockIdx.x * 128 + threadIdx.x] = r;
}
extern "C" __global__ void group_indices(unsigned* out, const unsigned* in) {
  const auto block = cg::this_thread_block();
  const auto grid = cg::this_grid();
  const dim3 t = block.thread_index(), b = block.group_index(), n = block.dim_threads();
  const dim3 g = grid.block_index(), d = grid.dim_blocks();
  const unsigned long long rank = grid.thread_rank();
  out[rank] = static_cast<unsigned>(t.x + t.y * 10 + t.z * 100 + b.x * 1000 + b.y * 10000 +
                                    n.x * n.y * n.z + g.y * 7 + d.x * 3 + grid.size() +
                                    block.size() + grid.block_rank() * 17) ^
              in[rank & 4095];
}
extern "C" __global__ void split_sync(unsigned* out, const unsigned* in) {
  __shared__ unsigned s[96], total;
  const auto block = cg::this_thread_block();
  const unsigned t = block.thread_rank();
  s[t] = in[blockIdx.x * 96 + t];
  auto token = block.barrier_arrive();
  const unsigned own = in[t] * 3;
  block.barrier_wait(static_cast<decltype(token)&&>(token));
  if (block.thread_rank() == 5) {
    total = 0;
    for (unsigned x : s) total += x;
  }
  cg::sync(block);
  out[blockIdx.x * 96 + t] = total ^ own;
}
extern "C" __global__ void dynamic_partitions(unsigned* out, const unsigned* in) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_group half = cg::tiled_partition(block, 16);
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  __shared__ unsigned s[64];
  s[threadIdx.x] = in[i];
  half.sync();
  unsigned sum = 0;
  const unsigned first = threadIdx.x / 16 * 16;
  for (unsigned k = 0; k < half.size(); ++k) sum += s[first + k] * (k + 1);
  out[i] = sum + half.thread_rank();
}
struct Range {
  float low, high;
  int count;
};
extern "C" __global__ void reduce_structures(unsigned* out, const unsigned* in) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = static_cast<float>(in[i]);
  const Range r = cg::reduce(tile, Range{x, x, 1}, [](const Range& a, const Range& b) {
    return Range{fminf(a.low, b.low), fmaxf(a.high, b.high), a.count + b.count};
  });
  out[i] = __float_as_uint(r.low) ^ __float_as_uint(r.high) ^ static_cast<unsigned>(r.count);
}
extern "C" __global__ void update_async(unsigned* out, const unsigned* in) {
  __shared__ unsigned sum;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) sum = 0;
  block.sync();
  const auto tile = cg::tiled_partition<32>(block);
  const unsigned part = cg::reduce(tile, in[blockIdx.x * 128 + threadIdx.x], cg::plus<unsigned>());
  if (tile.thread_rank() == 0) atomicAdd(&sum, part);
  block.sync();
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}
