// SPDX-License-Identifier: Apache-2.0
// No padding and no conflicts: the word in row r and column c is at position c ^ r of its row. So
// the words of a column are in 32 different banks.
template <int Tile, int BlockRows>
__device__ void transpose_tile(float* out, const float* in, int width, int height) {
  __shared__ float tile[Tile * Tile];
  const int x = threadIdx.x;
  const int column = blockIdx.x * Tile + x;
  const int out_column = blockIdx.y * Tile + x;
#pragma unroll
  for (int y = threadIdx.y; y < Tile; y += BlockRows) {
    const int row = blockIdx.y * Tile + y;
    if (column < width && row < height) tile[y * Tile + (x ^ y)] = in[row * width + column];
  }
  __syncthreads();
#pragma unroll
  for (int y = threadIdx.y; y < Tile; y += BlockRows) {
    const int out_row = blockIdx.x * Tile + y;
    if (out_column < height && out_row < width) {
      out[out_row * height + out_column] = tile[x * Tile + (y ^ x)];
    }
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  transpose_tile<32, 8>(out, in, width, height);
}
