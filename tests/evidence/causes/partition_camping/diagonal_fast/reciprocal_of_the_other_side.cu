// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=21
// says: The block number is divided by gridDim.y with the reciprocal of gridDim.x, and the sum
//   the other way round: the two reciprocals are exchanged.
// Quotient in x, remainder in y.
__device__ uint2 split(unsigned n, unsigned by, unsigned reciprocal) {
  if (by == 1) return make_uint2(n, 0);
  uint2 parts;
  parts.x = __umulhi(n, reciprocal);
  parts.y = n - parts.x * by;
  if (parts.y >= by) {
    --parts.x;
    parts.y += by;
  }
  return parts;
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[32][33];
  const uint2 parts = split(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y, reciprocal_grid_x);
  const int tile_y = parts.y;
  const int tile_x = split(parts.x + parts.y, gridDim.x, reciprocal_grid_y).y;

  int x = tile_x * 32 + threadIdx.x, y = tile_y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = tile_y * 32 + threadIdx.x;
  y = tile_x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}
