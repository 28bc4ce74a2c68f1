// SPDX-License-Identifier: Apache-2.0
// Atomic sums of __half and __half2 with small integer values.
// launch: grid 4 block 256
#include <cuda_fp16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<__half2*>(&out[v]),
            __halves2half2(__float2half(1.0F), __float2half(2.0F)));
  atomicAdd(reinterpret_cast<__half*>(&out[128]) + v, __float2half(1.0F));
}
