// SPDX-License-Identifier: Apache-2.0
// launch: --device k40 --grid 1 --block 256 --arg out:i32:256 --arg in:i32:256:iota
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ cg::block_tile_memory<256> mem;
  auto b = cg::this_thread_block(mem);
  auto t = cg::tiled_partition<128>(b);
  int v = in[threadIdx.x];
  int s = cg::reduce(t, v, cg::plus<int>());
  int a = t.any(v == 3);
  int x = t.shfl(v, 7);
  t.sync();
  s += cg::inclusive_scan(t, v);
  auto u = cg::tiled_partition<16>(b);
  s += cg::reduce(u, v, cg::greater<int>());
  auto c = cg::coalesced_threads();
  s += cg::exclusive_scan(c, v);
  auto l = cg::labeled_partition(u, v & 3);
  s += cg::reduce(l, v, cg::plus<int>());
  l.sync();
  o[threadIdx.x] = s + a + x;
}
