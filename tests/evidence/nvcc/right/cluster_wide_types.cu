// SPDX-License-Identifier: Apache-2.0
// Vectors, doubles, bytes and structs through another block's shared memory.
// launch: --kernel carry --grid 2 --block 32 --arg out:f32:256 --arg out:f64:64 --arg out:u8:64 --arg out:i32:64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Pair {
  short a;
  int b;
};
__global__ void __cluster_dims__(2, 1, 1)
    carry(float4* out, double* doubles, unsigned char* bytes, int* sums) {
  __shared__ float4 four[32];
  __shared__ double two[32];
  __shared__ unsigned char one[32];
  __shared__ Pair pairs[32];
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const unsigned rank = cluster.block_rank();
  const unsigned other = rank ^ 1;
  cluster.sync();
  cluster.map_shared_rank(four, other)[t] = make_float4(t, rank, t * 0.5f, -t);
  cluster.map_shared_rank(two, other)[31 - t] = t / 3.0;
  cluster.map_shared_rank(one, other)[t] = static_cast<unsigned char>(t * 9 + rank);
  pairs[t] = {static_cast<short>(-t), 70000 + t};
  cluster.sync();
  const int i = blockIdx.x * 32 + t;
  out[i] = four[t];
  doubles[i] = two[t];
  bytes[i] = one[t];
  const Pair there = cluster.map_shared_rank(pairs, other)[t];
  sums[i] = there.a + there.b;
  cluster.sync();
}
