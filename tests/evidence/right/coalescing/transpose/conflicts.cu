// SPDX-License-Identifier: Apache-2.0
// The tile without padding: each walk down one of its columns finds all 32 words in one bank. Slow
// in shared memory, yet both global sides are coalesced, which is all that this exercise asks for.
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
