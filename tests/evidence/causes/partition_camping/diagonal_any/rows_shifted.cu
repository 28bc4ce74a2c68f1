// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=24
// says: Each row of tiles begins one tile further right, but blocks that run together are still
//   in one row of tiles and write one below another.
// never: Neighbouring lanes must
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kTile][kTile + 1];
  const int tile_y = blockIdx.y;
  const int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  double v[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (column < width && row + 8 * k < height) v[k] = in[(row + 8 * k) * width + column];
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int out_column = tile_y * kTile + threadIdx.x, out_row = tile_x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (out_column < height && out_row + 8 * k < width)
      out[(out_row + 8 * k) * height + out_column] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
