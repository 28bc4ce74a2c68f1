// SPDX-License-Identifier: Apache-2.0
// Pairs of bfloat16 with minimum and conversion.
// launch: --kernel pairs --grid 1 --block 16 --arg in:f32:32:iota --arg out:u32:16
#include <cuda_bf16.h>
__global__ void pairs(const float2* in, __nv_bfloat162* out) {
  const __nv_bfloat162 x = __float22bfloat162_rn(in[threadIdx.x]);
  out[threadIdx.x] = __hadd2(__hmin2(x, __float2bfloat162_rn(9.5f)), x);
}
