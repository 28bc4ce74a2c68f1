// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=16
// says: __threadfence_block orders the stores of one thread but waits for nobody: a
//   __syncthreads is needed before the tile is read.
// never: atomicAdd
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    const int y = threadIdx.y + j;
    if (column < width && row + j < height) tile[y][threadIdx.x ^ y] = in[(row + j) * width + column];
  }
  __threadfence_block();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    const int y = threadIdx.y + j;
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][y ^ threadIdx.x];
  }
}
