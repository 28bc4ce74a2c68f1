// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=11
// says: __mulhi multiplies signed numbers; the reciprocal of a grid of 2 is 2^31, which is
//   negative as an int: use __umulhi.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];
  const auto divide = [](int n, int g, unsigned reciprocal) { return g == 1 ? n : __mulhi(n, (int)reciprocal); };
  const int id = blockIdx.x + gridDim.x * blockIdx.y;
  const int quotient = divide(id, gridDim.y, reciprocal_grid_y);
  const int tile_y = id - quotient * gridDim.y;
  const int sum = quotient + tile_y;
  const int tile_x = sum - divide(sum, gridDim.x, reciprocal_grid_x) * gridDim.x;
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8)
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = tile[threadIdx.x][threadIdx.y + j];
}
