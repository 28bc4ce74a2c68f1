// SPDX-License-Identifier: Apache-2.0
// Transposes 8 x 8 squares with shfl_xor, without shared memory. Each square is stored at its
// mirrored position in the tile.
__device__ void turn_eight(float (&v)[8], unsigned lane) {
#pragma unroll
  for (int step = 4; step > 0; step /= 2) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k & step) continue;
      const bool high = (lane & step) != 0;
      const float got = __shfl_xor_sync(~0u, high ? v[k] : v[k | step], step);
      (high ? v[k] : v[k | step]) = got;
    }
  }
}

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  if (warp > 3) return;  // four warps of eight rows
  const int top = blockIdx.y * 32, left = blockIdx.x * 32;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = in[(top + warp * 8 + k) * width + left + lane];
  turn_eight(v, lane);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[(top + lane / 8 * 8 + k) * width + left + warp * 8 + lane % 8] = v[k];
}
