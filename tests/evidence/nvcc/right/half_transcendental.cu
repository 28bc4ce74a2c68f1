// SPDX-License-Identifier: Apache-2.0
// Exponential, logarithm, sine, and reciprocal of half.
// launch: --kernel curves --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:128
#include <cuda_fp16.h>
__global__ void curves(const __half* in, __half* out) {
  const __half x = in[threadIdx.x] * __half(0.125f);
  out[threadIdx.x] = hexp(x);
  out[32 + threadIdx.x] = hlog(x + __half(1.0f));
  out[64 + threadIdx.x] = hsin(x);
  out[96 + threadIdx.x] = hrcp(x + __half(1.0f));
}
