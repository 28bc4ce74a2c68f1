// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|race|swapped_indices line=7
// says: all rows are stored to the same row of the tile: threads overwrite each other; no barrier helps.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < width && y + j < height) tile[j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
