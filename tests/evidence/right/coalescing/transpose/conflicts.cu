// SPDX-License-Identifier: Apache-2.0
// The tile is not padded, so all 32 words of a column are in one bank. Shared memory is slow, but
// both global sides are coalesced. This exercise requires no more.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (column < height && row + j < width) {
      out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
