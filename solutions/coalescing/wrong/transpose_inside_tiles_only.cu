// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=square
// cause: swapped_indices line=22
// Transposes each tile in place: block row and block column are not swapped. The threads outside
// the matrix store zeros in the tile, so that no thread reads an element that was never
// written.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const bool inside = column < width && row + j < height;
    tile[threadIdx.y + j][threadIdx.x] = inside ? in[(row + j) * width + column] : 0.0f;
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      out[(row + j) * width + column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
