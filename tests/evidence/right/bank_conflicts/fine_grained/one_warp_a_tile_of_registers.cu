// SPDX-License-Identifier: Apache-2.0
// The barrier is inline PTX. A shuffle before each store returns the lane's own value: a no-op.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const unsigned lane = threadIdx.x, warp = threadIdx.y;
  const float* from = in + (blockIdx.y * 32) * width + blockIdx.x * 32;
  float* to = out + (blockIdx.y * 32) * width + blockIdx.x * 32;
  // Each warp loads every eighth row of the tile and stores four consecutive rows of `out`.
  for (unsigned k = 0; k < 4; ++k) tile[warp + 8 * k][lane] = from[(warp + 8 * k) * width + lane];
  asm volatile("bar.sync 0;" ::: "memory");
  for (unsigned k = 0; k < 4; ++k) {
    const float mine = tile[lane][4 * warp + k];
    to[(4 * warp + k) * width + lane] = __shfl_sync(0xffffffffu, mine, lane);
  }
}
