// SPDX-License-Identifier: Apache-2.0
// Operators of __half.
// launch: --kernel sums --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:96
#include <cuda_fp16.h>
__global__ void sums(const __half* in, __half* out) {
  const __half x = in[threadIdx.x];
  out[threadIdx.x] = x * x + __float2half(0.1f);
  out[32 + threadIdx.x] = __hsub(x, __half(3.3f));
  out[64 + threadIdx.x] = x / (x + __half(1.0f));
}
