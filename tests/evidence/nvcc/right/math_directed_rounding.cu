// SPDX-License-Identifier: Apache-2.0
// Intrinsics with directed rounding in float and double.
// launch: --kernel rounded --grid 1 --block 32 --arg in:f32:32:iota --arg out:f64:32
__global__ void rounded(const float* in, double* out) {
  const float x = in[threadIdx.x] + 0.1f;
  out[threadIdx.x] = __fadd_ru(x, 1e-7f) + __fmul_rd(x, 0.3f) + __fdiv_rz(x, 7) + __fsqrt_ru(x) +
                     __dadd_rd(x, 1e-17) + __dmul_ru(x, 0.3) + __ddiv_rn(x, 7) + __dsqrt_rz(x) + __fmaf_rz(x, x, 1);
}
