// SPDX-License-Identifier: Apache-2.0
// A half2 passed to a function that takes a half.
#include <cuda_fp16.h>
__global__ void kernel(float* out) {
  __half2 h = __float2half2_rn(1.5f);
  out[threadIdx.x] = __half2float(h);
}
