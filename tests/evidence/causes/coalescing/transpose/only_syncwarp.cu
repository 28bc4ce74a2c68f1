// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=16
// says: A thread reads words of the tile that other warps wrote: __syncwarp waits for its own
//   warp only, so __syncthreads is needed.
// never: atomicAdd
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncwarp();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
