// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/transpose
// says: tile is an array of each thread (line 6): is __shared__ missing before it?
// Each thread has a tile of its own.
__global__ void transpose(float* out, const float* in, int width, int height) {
  float tile[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[row * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int out_row = blockIdx.x * 32 + threadIdx.y + j;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
