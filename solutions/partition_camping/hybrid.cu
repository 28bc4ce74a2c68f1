// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/hybrid, solved: Cartesian order for sizes at which the diagonal one camps.
//
// A tile of 32 doubles is 256 bytes wide, as wide as a partition. From one block to the next the
// diagonal order moves 32 rows of N doubles down and one tile to the right: 256 (N + 1) bytes, a
// multiple of 8 partitions if N + 1 is a multiple of 8. That alone does no harm if the rows of a tile
// are in different partitions. But if N is 127 or 255 beyond a multiple of 256, one row is 8 bytes
// short of half the partitions, or of all of them. Then the rows of a tile share two partitions or
// one, and all blocks use the same. The Cartesian order camps if N is a multiple of 128, never at
// these sizes, so it replaces the diagonal order there. Reads have rows of `width` elements,
// writes of `height`.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4
constexpr int kSlowPeriod = 128;  // sizes at which the diagonal order camps:
constexpr int kSlowRest = 127;    // 127 beyond a multiple of 128

// n / divisor and n % divisor by one multiplication. `reciprocal` is ceil(2^32 / divisor), which is
// too large by a factor of at most 1 + divisor / 2^32. So the quotient of a large n can be one too
// high; the remainder is then negative, and the last step corrects both. A divisor of 1 has none.
struct Division {
  unsigned quotient;
  unsigned remainder;
};

__device__ Division divide(unsigned n, unsigned divisor, unsigned reciprocal) {
  if (divisor == 1) return {n, 0};
  const unsigned quotient = __umulhi(n, reciprocal);
  const unsigned remainder = n - quotient * divisor;
  if (remainder >= divisor) return {quotient - 1, remainder + divisor};  // it was negative
  return {quotient, remainder};
}

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];  // one extra word per row puts columns into different banks

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
  double value[kRowsAThread] = {};  // in registers: four loads are on their way together
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
