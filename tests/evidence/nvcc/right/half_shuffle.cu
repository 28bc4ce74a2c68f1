// SPDX-License-Identifier: Apache-2.0
// Shuffles of half.
// launch: --kernel lanes --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:32
#include <cuda_fp16.h>
__global__ void lanes(const __half* in, __half* out) {
  __half x = in[threadIdx.x];
  for (int i = 1; i < 32; i *= 2) x = __hadd(x, __shfl_xor_sync(0xffffffff, x, i));
  out[threadIdx.x] = x;
}
