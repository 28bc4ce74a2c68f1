// SPDX-License-Identifier: Apache-2.0
// Bits of half, and conversions of half to integers.
// launch: --kernel bits --grid 1 --block 32 --arg in:f16:32:iota --arg out:i32:64
#include <cuda_fp16.h>
__global__ void bits(const __half* in, int* out) {
  const __half x = in[threadIdx.x] * __half(-1.7f);
  out[threadIdx.x] = __half_as_ushort(x);
  out[32 + threadIdx.x] = __half2int_rd(x) * 1000 + __half2int_rz(x);
}
