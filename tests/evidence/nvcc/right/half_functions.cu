// SPDX-License-Identifier: Apache-2.0
// Square root, floor, and maximum of half.
// launch: --kernel roots --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:96
#include <cuda_fp16.h>
__global__ void roots(const __half* in, __half* out) {
  const __half x = in[threadIdx.x];
  out[threadIdx.x] = hsqrt(x);
  out[32 + threadIdx.x] = hfloor(x * __half(0.3f));
  out[64 + threadIdx.x] = __hmax(x, __half(7.5f));
}
