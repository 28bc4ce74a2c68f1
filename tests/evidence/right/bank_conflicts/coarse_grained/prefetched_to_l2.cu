// SPDX-License-Identifier: Apache-2.0
// Prefetches the rows into L2 before it loads them.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const float* p = in + (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
  float* q = out + (blockIdx.x * 32 + threadIdx.y) * height + blockIdx.y * 32 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) asm volatile("prefetch.global.L2 [%0];" ::"l"(p + 8 * k * width));
#pragma unroll
  for (int k = 0; k < 4; ++k) q[8 * k * height] = p[8 * k * width];
}
