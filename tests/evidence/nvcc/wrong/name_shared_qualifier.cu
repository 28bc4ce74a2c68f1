// SPDX-License-Identifier: Apache-2.0
// __shard__ instead of __shared__.
__global__ void kernel(int* out) {
  __shard__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}
