// SPDX-License-Identifier: Apache-2.0
// Pointers into the tile and the matrices advance from row to row.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 32 + x;
  int row = blockIdx.y * 32 + y;
  const float* from = in + row * width + column;
  float* put = tile + y * 33 + x;
  for (int k = 0; k < 4; ++k, row += 8, from += 8 * width, put += 8 * 33) {
    if (column < width && row < height) *put = *from;
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + x;
  int out_row = blockIdx.x * 32 + y;
  float* to = out + out_row * height + out_column;
  const float* take = tile + x * 33 + y;
  for (int k = 0; k < 4; ++k, out_row += 8, to += 8 * height, take += 8) {
    if (out_column < height && out_row < width) *to = *take;
  }
}
