// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store line=13
// says: The lanes of a warp store down a column of out, one segment for each word: transpose in
//   the tile and store along rows.
// never: several threads
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  const int tile_y = blockIdx.x, tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += 8) {
    out[column * height + row + j] = in[(row + j) * width + column];
  }
}
