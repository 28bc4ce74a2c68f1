// SPDX-License-Identifier: Apache-2.0
// Blocks process the tiles of `in` by columns: each divides its linear index by gridDim.y.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[33 * 32];
  const int id = blockIdx.y * gridDim.x + blockIdx.x;
  const int tile_row = id % gridDim.y, tile_column = id / gridDim.y;
  const int t = threadIdx.x + 32 * threadIdx.y;
  for (int i = t; i < 1024; i += 256) {
    const int r = i >> 5, c = i & 31;
    const int row = tile_row * 32 + r, column = tile_column * 32 + c;
    if (row < height && column < width) tile[c * 33 + r] = in[row * width + column];
  }
  __syncthreads();
  for (int i = t; i < 1024; i += 256) {
    const int r = i >> 5, c = i & 31;
    const int row = tile_column * 32 + r, column = tile_row * 32 + c;
    if (row < width && column < height) out[row * height + column] = tile[r * 33 + c];
  }
}
