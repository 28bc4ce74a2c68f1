// SPDX-License-Identifier: Apache-2.0
// An #if without an #endif.
#define USE_FAST 1
__global__ void root(float* out) {
#if USE_FAST
  out[threadIdx.x] = __fsqrt_rn(threadIdx.x);
}
