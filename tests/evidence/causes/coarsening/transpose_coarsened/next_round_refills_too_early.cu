// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=14
// says: A fast warp fills the tile for the next round while slow ones still read it; a second __syncthreads() is
//   needed at the end of the round.

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x;
  const int top = blockIdx.y * 32;
  int left = blockIdx.x * Factor * 32;
  for (int round = 0; round < Factor; ++round, left += 32) {
    for (int y = threadIdx.y; y < 32; y += 8) {
      if (left + x < width && top + y < height) tile[y][x] = in[(top + y) * width + left + x];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
      if (top + x < height && left + y < width) out[(left + y) * height + top + x] = tile[x][y];
    }
  }
}
