// SPDX-License-Identifier: Apache-2.0
// Exercise partition_camping/diagonal_fast, solved: the diagonal order of `diagonal_any`, with a
// multiplication for each division.
//
// Why it is fast: as before, the order keeps all eight partitions busy, but at a lower cost. PTX
// has a div instruction, the hardware does not: each thread would execute dozens of instructions
// before its first load. The two divisions by multiplication need about a dozen in total.

constexpr int kTile = 32;                         // rows and columns of a tile
constexpr int kBlockRows = 8;                     // blockDim.y
constexpr int kRowsAThread = kTile / kBlockRows;  // 4

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

  const unsigned id = blockIdx.x + gridDim.x * blockIdx.y;
  const Division by_rows = divide(id, gridDim.y, reciprocal_grid_y);
  const int tile_y = by_rows.remainder;
  const int tile_x =
      divide(by_rows.quotient + by_rows.remainder, gridDim.x, reciprocal_grid_x).remainder;

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
