// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=6
// says: transpose is only declared; the kernel with the body has the name transpose_diagonal.
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height, unsigned reciprocal_grid_x,
                          unsigned reciprocal_grid_y);

__global__ void transpose_diagonal(double* out, const double* in, int width, int height, unsigned rx, unsigned ry) {
  __shared__ double tile[kTile][kTile + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = gridDim.y == 1 ? id : __umulhi(id, ry);
  const unsigned tile_y = id - q * gridDim.y;
  const unsigned d = q + tile_y, tile_x = gridDim.x == 1 ? 0 : d - __umulhi(d, rx) * gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
