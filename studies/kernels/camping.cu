// SPDX-License-Identifier: Apache-2.0
// Transposes of doubles in two orders of the blocks, for any size: tiles of 32 x 32, blocks of
// 32 x 8 threads.
//
// Cartesian order: block (x, y) moves tile (x, y). Diagonal order: consecutive blocks go down a
// diagonal. The reciprocals are ceil(2^32 / extent of the grid), or 0 for an extent of 1, when the
// quotient is the number itself. They are exact while blocks times extent is below 2^32.
constexpr int kTile = 32;
constexpr int kRows = 8;

struct TileIndex {
  int x, y;
};

__device__ TileIndex cartesian() { return {int(blockIdx.x), int(blockIdx.y)}; }

__device__ TileIndex diagonal(int width, int height) {
  if (width == height) {
    return {int((blockIdx.x + blockIdx.y) % gridDim.x), int(blockIdx.x)};
  }
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  const unsigned y = block % gridDim.y;
  return {int((block / gridDim.y + y) % gridDim.x), int(y)};
}

// a / b by b's reciprocal.
__device__ unsigned quotient(unsigned a, unsigned reciprocal) {
  return reciprocal == 0 ? a : __umulhi(a, reciprocal);
}

__device__ TileIndex diagonal_fast(int width, int height, unsigned reciprocal_x,
                                   unsigned reciprocal_y) {
  unsigned y = blockIdx.x;
  unsigned x = blockIdx.x + blockIdx.y;
  if (width != height) {
    const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
    const unsigned column = quotient(block, reciprocal_y);
    y = block - column * gridDim.y;
    x = column + y;
  }
  return {int(x - quotient(x, reciprocal_x) * gridDim.x), int(y)};
}

// A tile that is completely inside the matrix.
__device__ void whole_tile(double* out, const double* in, int width, int height, TileIndex at) {
  __shared__ double tile[kTile][kTile + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const double* from = in + (at.y * kTile + y) * width + at.x * kTile + x;
  for (int j = 0; j < kTile; j += kRows) tile[y + j][x] = from[j * width];
  __syncthreads();
  double* to = out + (at.x * kTile + y) * height + at.y * kTile + x;
  for (int j = 0; j < kTile; j += kRows) to[j * height] = tile[x][y + j];
}

// A tile that may cross the edge: each element is checked.
__device__ void checked_tile(double* out, const double* in, int width, int height, TileIndex at) {
  __shared__ double tile[kTile][kTile + 1];
  int column = at.x * kTile + threadIdx.x;
  int row = at.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (column < width && row + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    }
  }
  __syncthreads();
  column = at.y * kTile + threadIdx.x;
  row = at.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (column < height && row + j < width) {
      out[(row + j) * height + column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

// Number of a thread's four rows, from `row` on, that are inside the matrix.
__device__ int rows_inside(int row, int rows) {
  const int inside = (rows - row + kRows - 1) / kRows;
  return inside < 0 ? 0 : inside < kTile / kRows ? inside : kTile / kRows;
}

// The same with one check of the column, and the rows unrolled by hand for each number of rows.
__device__ void unrolled_tile(double* out, const double* in, int width, int height, TileIndex at) {
  __shared__ double tile[kTile][kTile + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  int column = at.x * kTile + x;
  int row = at.y * kTile + y;
  if (column < width) {
    const double* from = in + row * width + column;
    const int step = kRows * width;
    const int rows = rows_inside(row, height);
    if (rows == 4) {
      tile[y][x] = from[0];
      tile[y + kRows][x] = from[step];
      tile[y + 2 * kRows][x] = from[2 * step];
      tile[y + 3 * kRows][x] = from[3 * step];
    } else if (rows == 3) {
      tile[y][x] = from[0];
      tile[y + kRows][x] = from[step];
      tile[y + 2 * kRows][x] = from[2 * step];
    } else if (rows == 2) {
      tile[y][x] = from[0];
      tile[y + kRows][x] = from[step];
    } else if (rows == 1) {
      tile[y][x] = from[0];
    }
  }
  __syncthreads();
  column = at.y * kTile + x;
  row = at.x * kTile + y;
  if (column < height) {
    double* to = out + row * height + column;
    const int step = kRows * height;
    const int rows = rows_inside(row, width);
    if (rows == 4) {
      to[0] = tile[x][y];
      to[step] = tile[x][y + kRows];
      to[2 * step] = tile[x][y + 2 * kRows];
      to[3 * step] = tile[x][y + 3 * kRows];
    } else if (rows == 3) {
      to[0] = tile[x][y];
      to[step] = tile[x][y + kRows];
      to[2 * step] = tile[x][y + 2 * kRows];
    } else if (rows == 2) {
      to[0] = tile[x][y];
      to[step] = tile[x][y + kRows];
    } else if (rows == 1) {
      to[0] = tile[x][y];
    }
  }
}

// Method 0 of the post's table: coalesced, Cartesian.
__global__ void coalesced(double* out, const double* in, int width, int height, unsigned,
                          unsigned) {
  unrolled_tile(out, in, width, height, cartesian());
}

// Method 1: diagonal, multiples of 32 only.
__global__ void diagonal_multiples(double* out, const double* in, int width, int height, unsigned,
                                   unsigned) {
  whole_tile(out, in, width, height, diagonal(width, height));
}

// Method 2: diagonal, any size.
__global__ void diagonal_any(double* out, const double* in, int width, int height, unsigned,
                             unsigned) {
  checked_tile(out, in, width, height, diagonal(width, height));
}

// Method 3: diagonal, any size, modulo by multiply-high, loops unrolled by hand.
__global__ void diagonal_unrolled(double* out, const double* in, int width, int height,
                                  unsigned reciprocal_x, unsigned reciprocal_y) {
  unrolled_tile(out, in, width, height,
                diagonal_fast(width, height, reciprocal_x, reciprocal_y));
}

// Cartesian order on the slow sizes of the diagonal one, which are one below multiples of 128.
__global__ void hybrid(double* out, const double* in, int width, int height, unsigned reciprocal_x,
                       unsigned reciprocal_y) {
  const bool diagonal_is_slow = width == height && (width + 1) % 128 == 0;
  unrolled_tile(out, in, width, height,
                diagonal_is_slow ? cartesian()
                                 : diagonal_fast(width, height, reciprocal_x, reciprocal_y));
}
