// SPDX-License-Identifier: Apache-2.0
// Conversions to e4m3 and e5m2 and back.
// launch: --kernel rounds --grid 1 --block 32 --arg in:f32:32:iota --arg out:u8:64 --arg out:f32:32
#include <cuda_fp8.h>
__global__ void rounds(const float* in, unsigned char* out, float* back) {
  const float x = in[threadIdx.x] * 0.37f;
  const __nv_fp8_e4m3 small(x);
  out[threadIdx.x] = small.__x;
  out[32 + threadIdx.x] = __nv_fp8_e5m2(x).__x;
  back[threadIdx.x] = static_cast<float>(small);
}
