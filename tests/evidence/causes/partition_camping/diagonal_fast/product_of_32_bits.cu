// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=9
// says: The product of id and the reciprocal has 64 bits, but it is computed in 32: convert to
//   unsigned long long first, or use __umulhi.
// never: barrier
constexpr int kTile = 32;

__device__ unsigned over(unsigned n, unsigned divisor, unsigned reciprocal) {
  return divisor == 1 ? n : static_cast<unsigned long long>(n * reciprocal) >> 32;
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];
  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned q = over(id, gridDim.y, reciprocal_grid_y);
  const int tile_y = id - q * gridDim.y;
  const unsigned d = q + tile_y;
  const int tile_x = d - over(d, gridDim.x, reciprocal_grid_x) * gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
