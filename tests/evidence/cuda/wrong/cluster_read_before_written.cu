// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64
// | cluster_read_before_written.cu:15:3: uninitialized_read: thread (0, 0, 0) reads box[0], which no thread of the cluster has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 64 times.
// |    15 |   out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
// |       |   ^
// |       block (1, 0, 0), thread (0, 0, 0)
#include <cooperative_groups.h>

extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int box[32];
  const auto cluster = cooperative_groups::this_cluster();
  if (cluster.block_rank() == 0) box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(box, 1);
  out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}
