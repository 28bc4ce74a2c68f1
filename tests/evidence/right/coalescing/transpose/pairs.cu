// SPDX-License-Identifier: Apache-2.0
// Moves float2 if rows are aligned to 8 bytes, and single floats otherwise. Sixteen lanes move a
// row of the tile, so a warp moves two rows at a time.
constexpr int kTile = 32;
constexpr int kRowsAPass = 16;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int pair = thread % 16 * 2;
  const int column = blockIdx.x * kTile + pair;
  const int out_column = blockIdx.y * kTile + pair;

  for (int y = thread / 16; y < kTile; y += kRowsAPass) {
    const int row = blockIdx.y * kTile + y;
    if (row >= height) continue;
    if (width % 2 == 0 && column < width) {
      const float2 both = *reinterpret_cast<const float2*>(in + row * width + column);
      tile[y][pair] = both.x;
      tile[y][pair + 1] = both.y;
    } else {
      if (column < width) tile[y][pair] = in[row * width + column];
      if (column + 1 < width) tile[y][pair + 1] = in[row * width + column + 1];
    }
  }
  __syncthreads();
  for (int y = thread / 16; y < kTile; y += kRowsAPass) {
    const int row = blockIdx.x * kTile + y;
    if (row >= width) continue;
    if (height % 2 == 0 && out_column < height) {
      *reinterpret_cast<float2*>(out + row * height + out_column) =
          make_float2(tile[pair][y], tile[pair + 1][y]);
    } else {
      if (out_column < height) out[row * height + out_column] = tile[pair][y];
      if (out_column + 1 < height) out[row * height + out_column + 1] = tile[pair + 1][y];
    }
  }
}
