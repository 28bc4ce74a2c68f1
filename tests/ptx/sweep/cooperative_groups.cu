// SPDX-License-Identifier: Apache-2.0
// Cooperative groups: partitions, collectives, copies, groups of the grid and the cluster.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#define KERNEL(name) extern "C" __global__ void name(int* out, int* in)
KERNEL(tile_reduce) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  out[b.thread_rank()] = cg::reduce(t, in[b.thread_rank()], cg::plus<int>());
}
KERNEL(tile_scan) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<8>(b);
  out[b.thread_rank()] = cg::inclusive_scan(t, in[b.thread_rank()]);
}
KERNEL(labeled_partition) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  auto l = cg::labeled_partition(t, threadIdx.x % 3);
  out[threadIdx.x] = cg::reduce(l, in[threadIdx.x], cg::less<int>()) + l.size();
}
KERNEL(binary_partition) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  auto l = cg::binary_partition(t, in[threadIdx.x] & 1);
  out[threadIdx.x] = l.thread_rank();
}
KERNEL(coalesced) {
  auto a = cg::coalesced_threads();
  out[threadIdx.x] = a.shfl(in[threadIdx.x], 0) + a.num_threads();
  a.sync();
}
KERNEL(block_copy) {
  __shared__ int s[256];
  auto b = cg::this_thread_block();
  cg::memcpy_async(b, s, in, sizeof(int) * 256);
  cg::wait(b);
  out[threadIdx.x] = s[255 - threadIdx.x];
}
KERNEL(grid_place) {
  auto g = cg::this_grid();
  out[g.thread_rank()] = g.size() + g.block_rank() + g.num_blocks();
}
KERNEL(grid_barrier) {
  auto g = cg::this_grid();
  g.sync();
  out[g.thread_rank()] = 1;
}
KERNEL(one_thread) {
  cg::invoke_one(cg::this_thread_block(), [&] { out[0] = 1; });
}
KERNEL(split_barrier) {
  auto b = cg::this_thread_block();
  auto tok = b.barrier_arrive();
  out[threadIdx.x] = 1;
  b.barrier_wait(std::move(tok));
}
KERNEL(tile_float_reduce) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  float f = cg::reduce(t, (float)in[threadIdx.x], cg::greater<float>());
  out[threadIdx.x] = (int)f;
  auto x = cg::exclusive_scan(t, in[threadIdx.x], cg::bit_xor<int>());
  out[threadIdx.x] += x;
}
KERNEL(tile_of_128) {
  __shared__ cg::block_tile_memory<256> mem;
  auto b = cg::this_thread_block(mem);
  auto t = cg::tiled_partition<128>(b);
  out[threadIdx.x] = cg::reduce(t, in[threadIdx.x], cg::plus<int>());
}
#if __CUDA_ARCH__ >= 900
KERNEL(cluster_place) {
  auto c = cg::this_cluster();
  out[threadIdx.x] = c.block_rank() + c.num_blocks();
}
KERNEL(cluster_barrier) {
  auto c = cg::this_cluster();
  c.sync();
  out[threadIdx.x] = 1;
}
#endif
KERNEL(reduce_into_atomic) {
  auto t = cg::tiled_partition<32>(cg::this_thread_block());
  cg::reduce_update_async(t, *(cuda::atomic<int, cuda::thread_scope_device>*)out, in[threadIdx.x],
                          cg::plus<int>());
}
