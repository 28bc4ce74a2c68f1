// SPDX-License-Identifier: Apache-2.0
// Contracted products, and intrinsics that prevent contraction.
// launch: --kernel products --grid 1 --block 32 --arg in:f32:32:iota --arg out:f32:32
__global__ void products(const float* in, float* out) {
  const float x = in[threadIdx.x] * 0.1f;
  const float apart = __fadd_rn(__fmul_rn(x, x), -1.0f), fused = x * x - 1.0f, asked = fmaf(x, x, 3.0f);
  out[threadIdx.x] = (apart - fused) * 1e6f + asked;
}
