// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=22
// says: Blocks follow the rows of tiles to and fro, so blocks that run together still write
//   tiles one below another, all in one partition: follow diagonals.
// never: Neighbouring lanes must
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int tile_y = blockIdx.y;
  const int tile_x = blockIdx.y & 1 ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = in[(row + 8 * k) * width + column];
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[(out_row + 8 * k) * height + out_column] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
