// SPDX-License-Identifier: Apache-2.0
// Arithmetic of __half2 and its lanes.
// launch: --kernel pairs --grid 1 --block 16 --arg in:f16:32:iota --arg out:f16:32
#include <cuda_fp16.h>
__global__ void pairs(const __half2* in, __half2* out) {
  const __half2 x = in[threadIdx.x];
  out[threadIdx.x] = __hfma2(x, __lowhigh2highlow(x), __half2half2(__float2half(1.0f)));
}
