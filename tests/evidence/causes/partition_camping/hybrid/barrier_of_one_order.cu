// SPDX-License-Identifier: Apache-2.0
// cause: missing_barrier line=25
// says: Only the diagonal branch has a barrier; in the Cartesian one, too, threads read what
//   other warps wrote.
// never: atomicAdd;between the if
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx, unsigned ry) {
  __shared__ double tile[kTile][kTile + 1];
  unsigned tile_x = blockIdx.x, tile_y = blockIdx.y;
  const bool is_diagonal = width % 128 != 127 && height % 128 != 127;
  if (is_diagonal) {
    const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
    unsigned q = gridDim.y == 1 ? id : __umulhi(id, ry);
    if (q * gridDim.y > id) --q;
    tile_y = id - q * gridDim.y;
    const unsigned d = q + tile_y;
    unsigned p = gridDim.x == 1 ? d : __umulhi(d, rx);
    if (p * gridDim.x > d) --p;
    tile_x = d - p * gridDim.x;
  }
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = column < width && row + j < height ? in[(row + j) * width + column] : 0;
  if (is_diagonal) __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
