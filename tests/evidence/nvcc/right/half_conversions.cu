// SPDX-License-Identifier: Apache-2.0
// Conversions of half with four rounding modes.
// launch: --kernel rounds --grid 1 --block 32 --arg in:f32:32:iota --arg out:f16:128
#include <cuda_fp16.h>
__global__ void rounds(const float* in, __half* out) {
  const float x = in[threadIdx.x] * 1.2345f + 2049.5f;
  out[threadIdx.x] = __float2half_rn(x);
  out[32 + threadIdx.x] = __float2half_rz(x);
  out[64 + threadIdx.x] = __float2half_ru(x);
  out[96 + threadIdx.x] = __float2half_rd(x);
}
