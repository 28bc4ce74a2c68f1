// SPDX-License-Identifier: Apache-2.0
// Product of two 32 x 32 matrices of half, summed in float.
// launch: grid 4,4 block 8,8
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 32; ++k) {
    const __half a = __uint2half_rn(in[y * 32 + k] & 0x3ff);
    const __half b = __hdiv(__uint2half_rn(in[k * 32 + x] & 0x3ff), __float2half(128.0F));
    sum += __half2float(a) * __half2float(b);
  }
  out[y * 32 + x] = __float_as_uint(sum);
}
