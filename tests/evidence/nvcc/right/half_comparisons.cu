// SPDX-License-Identifier: Apache-2.0
// Comparisons of half, with NaN among the operands.
// launch: --kernel compares --grid 1 --block 32 --arg in:f16:32:iota --arg out:i32:32
#include <cuda_fp16.h>
__global__ void compares(const __half* in, int* out) {
  const __half x = in[threadIdx.x], y = threadIdx.x % 4 == 0 ? CUDART_NAN_FP16 : __half(10.0f);
  out[threadIdx.x] = __hlt(x, y) + 2 * __hgeu(x, y) + 4 * (x == y) + 8 * __hisnan(y);
}
