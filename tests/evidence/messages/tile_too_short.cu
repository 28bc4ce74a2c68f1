// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/transpose
// says: writes tile[8][0], but tile is declared as [8][32]
// The tile has a row for each row of threads, and not for each row of elements.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[8][32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    const bool is_inside = column < width && row < height;
    tile[threadIdx.y + j][threadIdx.x] = is_inside ? in[row * width + column] : 0;
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
