// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=32
// says: Rows of 256 doubles are 2,048 bytes, all eight partitions: the Cartesian order camps at
//   odd multiples of 128 and 256, too, not only at multiples of 512.
// never: Neighbouring lanes must
constexpr int kTile = 32;

__device__ unsigned rest(unsigned n, unsigned g, unsigned reciprocal, unsigned& quotient) {
  quotient = g == 1 ? n : __umulhi(n, reciprocal);
  if (quotient * g > n) --quotient;
  return n - quotient * g;
}

__global__ void transpose(double* out, const double* in, int width, int height, unsigned rx, unsigned ry) {
  __shared__ double tile[kTile][kTile + 1];
  unsigned tile_x = blockIdx.x, tile_y = blockIdx.y, q;
  if (width % 512 == 0 || height % 512 == 0) {
    tile_y = rest(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y, ry, q);
    tile_x = rest(q + tile_y, gridDim.x, rx, q);
  }
  const int column = tile_x * kTile + threadIdx.x, row = tile_y * kTile + threadIdx.y;
  double v[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (column < width && row + 8 * k < height) v[k] = in[(row + 8 * k) * width + column];
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
  const int oc = tile_y * kTile + threadIdx.x, orow = tile_x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (oc < height && orow + 8 * k < width) out[(orow + 8 * k) * height + oc] = tile[threadIdx.x][threadIdx.y + 8 * k];
}
