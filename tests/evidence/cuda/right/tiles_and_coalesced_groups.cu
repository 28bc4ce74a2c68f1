// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 256 --arg out:i32:256 --arg in:i32:256:iota
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda/atomic>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* o, const int* in) {
  __shared__ int s[256];
  __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
  auto b = cg::this_thread_block();
  if (b.thread_rank() == 0) total.store(0);
  b.sync();
  auto t = cg::tiled_partition<32>(b);
  int v = in[threadIdx.x];
  s[threadIdx.x] = v;
  t.sync();
  int w = s[threadIdx.x ^ 5];
  t.sync();
  if (v & 1) {
    auto c = cg::coalesced_threads();
    s[threadIdx.x] = v + c.size();
    c.sync();
    w += s[(threadIdx.x & ~31) + (threadIdx.x ^ 2) % 32];
  }
  cg::reduce_update_async(t, total, w, cg::plus<int>());
  b.sync();
  o[threadIdx.x] = total.load() + w;
}
