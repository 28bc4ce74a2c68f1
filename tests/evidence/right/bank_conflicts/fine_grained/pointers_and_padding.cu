// SPDX-License-Identifier: Apache-2.0
// Pointers walk down both matrices from the same base offset; the tile is padded.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int base = (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
  const float* from = in + base;
  for (int j = 0; j < 32; j += 8, from += 8 * width) tile[threadIdx.y + j][threadIdx.x] = *from;
  __syncthreads();
  float* to = out + base;
  for (int j = 0; j < 32; j += 8, to += 8 * width) *to = tile[threadIdx.x][threadIdx.y + j];
}
