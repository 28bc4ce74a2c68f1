// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/hybrid, solved: Cartesian order if diagonal order would camp.
//
// A tile of 32 doubles is 256 bytes wide, as wide as a partition. From one block to the next, the
// diagonal order moves 32 rows of N doubles down and one tile to the right: 256 (N + 1) bytes.
// That is a multiple of 8 partitions if N + 1 is a multiple of 8. It does no harm if the rows of
// a tile are in different partitions. But if N is 127 or 255 beyond a multiple of 256, a row is 8
// bytes short of half the partitions or all. The rows of a tile then share two partitions or one,
// and all blocks use the same. The Cartesian order camps if N is a multiple of 128, never at
// these sizes, so it replaces the diagonal order there. N is `width` for reads and `height` for
// writes.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4
constexpr int kSlowPeriod = 128;  // sizes at which the diagonal order camps:
constexpr int kSlowRest = 127;    // 127 beyond a multiple of 128

// n / divisor and n % divisor by multiplication. `reciprocal` is ceil(2^32 / divisor), too large by
// at most a factor of 1 + divisor / 2^32. The quotient of a large n can be one too high. The
// remainder is then negative, and the last step corrects both. 2^32 / 1 does not fit in 32 bits.
struct Division {
  unsigned quotient;
  unsigned remainder;
};

__device__ Division divide(unsigned n, unsigned divisor, unsigned reciprocal) {
  if (divisor == 1) return {n, 0};
  const unsigned quotient = __umulhi(n, reciprocal);
  const unsigned remainder = n - quotient * divisor;
  if (remainder >= divisor) return {quotient - 1, remainder + divisor};  // wrapped below 0
  return {quotient, remainder};
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];  // padding avoids bank conflicts in columns

  int tile_x = blockIdx.x;
  int tile_y = blockIdx.y;
  if (width % kSlowPeriod != kSlowRest && height % kSlowPeriod != kSlowRest) {
    const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
    const Division by_rows = divide(id, gridDim.y, reciprocal_grid_y);
    tile_y = by_rows.remainder;
    tile_x = divide(by_rows.quotient + by_rows.remainder, gridDim.x, reciprocal_grid_x).remainder;
  }

  const int column = tile_x * kTile + threadIdx.x;
  const int row = tile_y * kTile + threadIdx.y;
  double value[kRowsAThread] = {};  // in registers: four loads are in flight at once
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    if (column < width && r < height) value[k] = in[r * width + column];
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) tile[threadIdx.y + k * kBlockRows][threadIdx.x] = value[k];
  __syncthreads();

  const int out_column = tile_y * kTile + threadIdx.x;
  const int out_row = tile_x * kTile + threadIdx.y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int y = threadIdx.y + k * kBlockRows;
    const int r = out_row + k * kBlockRows;
    if (out_column < height && r < width) out[r * height + out_column] = tile[threadIdx.x][y];
  }
}
