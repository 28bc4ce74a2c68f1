// SPDX-License-Identifier: Apache-2.0
// Atomic sums of __nv_bfloat16 and pairs of them with small integer values.
// launch: grid 4 block 256
#include <cuda_bf16.h>

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned v = in[i] & 0x3f;
  atomicAdd(reinterpret_cast<__nv_bfloat162*>(&out[v]), __floats2bfloat162_rn(1.0F, 2.0F));
  atomicAdd(reinterpret_cast<__nv_bfloat16*>(&out[128]) + v, __float2bfloat16(1.0F));
}
