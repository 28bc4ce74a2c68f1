// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=18
// says: In out the tile of a block is at the mirrored place: its row comes from blockIdx.x and
//   its column from blockIdx.y.
// never: barrier;__syncthreads
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += 8) {
    if (x < width && y + j < height) {
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
