// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=shared_bytes
// cause: low_occupancy line=10
// Any odd row length is free of conflicts. But with five extra columns a block uses 4,736 bytes,
// memory that other blocks could use.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 5];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
