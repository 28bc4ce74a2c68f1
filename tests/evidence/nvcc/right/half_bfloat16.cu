// SPDX-License-Identifier: Apache-2.0
// Arithmetic of bfloat16.
// launch: --kernel sums --grid 1 --block 32 --arg in:f32:32:iota --arg out:u16:64
#include <cuda_bf16.h>
__global__ void sums(const float* in, __nv_bfloat16* out) {
  const __nv_bfloat16 x = __float2bfloat16(in[threadIdx.x] * 1.01f);
  out[threadIdx.x] = x * x;
  out[32 + threadIdx.x] = __hfma(x, __float2bfloat16(3.0f), __float2bfloat16(0.5f));
}
