// SPDX-License-Identifier: Apache-2.0
// float4 loads if the width is a multiple of 4, float4 stores if the height is. Eight lanes move a
// row of the tile, four words each.
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int y = thread / 8;
  const int x = thread % 8 * 4;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  if (row < height) {
    const float* from = in + row * width + column;
    if (width % 4 == 0 && column < width) {
      const float4 v = *(const float4*)from;
      tile[y][x] = v.x, tile[y][x + 1] = v.y, tile[y][x + 2] = v.z, tile[y][x + 3] = v.w;
    } else {
      for (int k = 0; k < 4 && column + k < width; ++k) tile[y][x + k] = from[k];
    }
  }
  __syncthreads();
  const int out_row = blockIdx.x * kTile + y, out_column = blockIdx.y * kTile + x;
  if (out_row < width) {
    float* to = out + out_row * height + out_column;
    if (height % 4 == 0 && out_column < height) {
      *(float4*)to = make_float4(tile[x][y], tile[x + 1][y], tile[x + 2][y], tile[x + 3][y]);
    } else {
      for (int k = 0; k < 4 && out_column + k < height; ++k) to[k] = tile[x + k][y];
    }
  }
}
