// SPDX-License-Identifier: Apache-2.0
// A tree reduction of half2 in shared memory.
// launch: --kernel sums --grid 1 --block 64 --arg in:f16:128:iota --arg out:f16:2
#include <cuda_fp16.h>
__global__ void sums(const __half2* in, __half2* out) {
  __shared__ __half2 tree[64];
  tree[threadIdx.x] = __hmul2(in[threadIdx.x], __float2half2_rn(0.01f));
  for (int i = 32; i > 0; i /= 2) {
    __syncthreads();
    if (threadIdx.x < i) tree[threadIdx.x] += tree[threadIdx.x + i];
  }
  if (threadIdx.x == 0) *out = tree[0];
}
