// SPDX-License-Identifier: Apache-2.0
// A half multiplied by a double is ambiguous.
#include <cuda_fp16.h>
__global__ void kernel(float* out) {
  __half h = __float2half(1.5f);
  out[threadIdx.x] = h * 2.0;
}
