// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=9
// says: The row has to be taken modulo gridDim.y and the column modulo gridDim.x; you exchanged them, and only
//   square grids forgive that.

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double s[32][33];
  const unsigned number = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned tile_row = number % gridDim.x;
  const unsigned tile_column = (number / gridDim.x + tile_row) % gridDim.y;

  const int top = tile_row * 32, left = tile_column * 32;
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (left + int(threadIdx.x) < width && top + k < height) {
      s[k][threadIdx.x] = in[(top + k) * width + left + threadIdx.x];
    }
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8) {
    if (top + int(threadIdx.x) < height && left + k < width) {
      out[(left + k) * height + top + threadIdx.x] = s[threadIdx.x][k];
    }
  }
}
