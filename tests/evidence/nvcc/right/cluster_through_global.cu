// SPDX-License-Identifier: Apache-2.0
// A cluster barrier also orders global memory accesses.
// launch: --kernel swap --grid 8 --block 64 --arg out:i32:512 --arg out:i32:512
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void __cluster_dims__(2, 1, 1) swap(int* work, int* out) {
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x;
  work[blockIdx.x * 64 + t] = blockIdx.x * 1000 + t;
  cluster.sync();
  out[blockIdx.x * 64 + t] = work[(blockIdx.x ^ 1) * 64 + 63 - t] + 1;
}
