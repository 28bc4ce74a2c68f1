// SPDX-License-Identifier: Apache-2.0
// 16-bit and 8-bit floats. corpus.py describes the parts.

//--- half_arithmetic
// Operators of __half.
// launch: --kernel sums --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:96
#include <cuda_fp16.h>
__global__ void sums(const __half* in, __half* out) {
  const __half x = in[threadIdx.x];
  out[threadIdx.x] = x * x + __float2half(0.1f);
  out[32 + threadIdx.x] = __hsub(x, __half(3.3f));
  out[64 + threadIdx.x] = x / (x + __half(1.0f));
}

//--- half_bfloat16
// Arithmetic of bfloat16.
// launch: --kernel sums --grid 1 --block 32 --arg in:f32:32:iota --arg out:u16:64
#include <cuda_bf16.h>
__global__ void sums(const float* in, __nv_bfloat16* out) {
  const __nv_bfloat16 x = __float2bfloat16(in[threadIdx.x] * 1.01f);
  out[threadIdx.x] = x * x;
  out[32 + threadIdx.x] = __hfma(x, __float2bfloat16(3.0f), __float2bfloat16(0.5f));
}

//--- half_bfloat162
// Pairs of bfloat16 with minimum and conversion.
// launch: --kernel pairs --grid 1 --block 16 --arg in:f32:32:iota --arg out:u32:16
#include <cuda_bf16.h>
__global__ void pairs(const float2* in, __nv_bfloat162* out) {
  const __nv_bfloat162 x = __float22bfloat162_rn(in[threadIdx.x]);
  out[threadIdx.x] = __hadd2(__hmin2(x, __float2bfloat162_rn(9.5f)), x);
}

//--- half_bits
// Bits of half, and conversions of half to integers.
// launch: --kernel bits --grid 1 --block 32 --arg in:f16:32:iota --arg out:i32:64
#include <cuda_fp16.h>
__global__ void bits(const __half* in, int* out) {
  const __half x = in[threadIdx.x] * __half(-1.7f);
  out[threadIdx.x] = __half_as_ushort(x);
  out[32 + threadIdx.x] = __half2int_rd(x) * 1000 + __half2int_rz(x);
}

//--- half_comparisons
// Comparisons of half, with NaN among the operands.
// launch: --kernel compares --grid 1 --block 32 --arg in:f16:32:iota --arg out:i32:32
#include <cuda_fp16.h>
__global__ void compares(const __half* in, int* out) {
  const __half x = in[threadIdx.x], y = threadIdx.x % 4 == 0 ? CUDART_NAN_FP16 : __half(10.0f);
  out[threadIdx.x] = __hlt(x, y) + 2 * __hgeu(x, y) + 4 * (x == y) + 8 * __hisnan(y);
}

//--- half_conversions
// Conversions of half with four rounding modes.
// launch: --kernel rounds --grid 1 --block 32 --arg in:f32:32:iota --arg out:f16:128
#include <cuda_fp16.h>
__global__ void rounds(const float* in, __half* out) {
  const float x = in[threadIdx.x] * 1.2345f + 2049.5f;
  out[threadIdx.x] = __float2half_rn(x);
  out[32 + threadIdx.x] = __float2half_rz(x);
  out[64 + threadIdx.x] = __float2half_ru(x);
  out[96 + threadIdx.x] = __float2half_rd(x);
}

//--- half_fp8
// Conversions to e4m3 and e5m2 and back.
// launch: --kernel rounds --grid 1 --block 32 --arg in:f32:32:iota --arg out:u8:64 --arg out:f32:32
#include <cuda_fp8.h>
__global__ void rounds(const float* in, unsigned char* out, float* back) {
  const float x = in[threadIdx.x] * 0.37f;
  const __nv_fp8_e4m3 small(x);
  out[threadIdx.x] = small.__x;
  out[32 + threadIdx.x] = __nv_fp8_e5m2(x).__x;
  back[threadIdx.x] = static_cast<float>(small);
}

//--- half_functions
// Square root, floor, and maximum of half.
// launch: --kernel roots --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:96
#include <cuda_fp16.h>
__global__ void roots(const __half* in, __half* out) {
  const __half x = in[threadIdx.x];
  out[threadIdx.x] = hsqrt(x);
  out[32 + threadIdx.x] = hfloor(x * __half(0.3f));
  out[64 + threadIdx.x] = __hmax(x, __half(7.5f));
}

//--- half_in_shared
// A tree reduction of half2 in shared memory.
// launch: --kernel sums --grid 1 --block 64 --arg in:f16:128:iota --arg out:f16:2
#include <cuda_fp16.h>
__global__ void sums(const __half2* in, __half2* out) {
  __shared__ __half2 tree[64];
  tree[threadIdx.x] = __hmul2(in[threadIdx.x], __float2half2_rn(0.01f));
  for (int i = 32; i > 0; i /= 2) {
    __syncthreads();
    if (threadIdx.x < i) tree[threadIdx.x] += tree[threadIdx.x + i];
  }
  if (threadIdx.x == 0) *out = tree[0];
}

//--- half_pairs
// Arithmetic of __half2 and its lanes.
// launch: --kernel pairs --grid 1 --block 16 --arg in:f16:32:iota --arg out:f16:32
#include <cuda_fp16.h>
__global__ void pairs(const __half2* in, __half2* out) {
  const __half2 x = in[threadIdx.x];
  out[threadIdx.x] = __hfma2(x, __lowhigh2highlow(x), __half2half2(__float2half(1.0f)));
}

//--- half_shuffle
// Shuffles of half.
// launch: --kernel lanes --grid 1 --block 32 --arg in:f16:32:iota --arg out:f16:32
#include <cuda_fp16.h>
__global__ void lanes(const __half* in, __half* out) {
  __half x = in[threadIdx.x];
  for (int i = 1; i < 32; i *= 2) x = __hadd(x, __shfl_xor_sync(0xffffffff, x, i));
  out[threadIdx.x] = x;
}

//--- half_transcendental
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
