// SPDX-License-Identifier: Apache-2.0
// Diagonal block order. Shuffles transpose 8 x 8 squares.
__global__ void transpose(float* out, const float* in, int width, int height) {
  if (threadIdx.y & 4) return;
  const int lane = threadIdx.x, by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = in[(by * 32 + threadIdx.y * 8 + k) * width + bx * 32 + lane];
#pragma unroll
  for (int step = 1; step < 8; step <<= 1) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & step) continue;
      const float got = __shfl_xor_sync(0xffffffff, lane & step ? v[k] : v[k + step], step);
      if (lane & step)
        v[k] = got;
      else
        v[k + step] = got;
    }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[(bx * 32 + lane / 8 * 8 + k) * height + by * 32 + threadIdx.y * 8 + lane % 8] = v[k];
}
