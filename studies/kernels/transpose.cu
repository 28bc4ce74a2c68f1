// SPDX-License-Identifier: Apache-2.0
// Copies and transposes of floats, from the simplest to the diagonal one: tiles of 32 x 32, blocks
// of 32 x 8 threads, each of which moves four elements.
//
// `in` has `height` rows of `width` floats, the output of a transpose `width` rows of `height`.
// Sizes are multiples of 32. The fine-grained kernel transposes each tile in place; the
// coarse-grained one moves the tiles without transposing them.
constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void copy_scalar(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    out[(row + j) * width + column] = in[(row + j) * width + column];
  }
}

// The fastest copy of the card: 16 bytes per thread.
__global__ void copy_vec4(float4* out, const float4* in, int count) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) out[i] = in[i];
}

__global__ void copy_shared(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += kRows) {
    out[(row + j) * width + column] = tile[threadIdx.y + j][threadIdx.x];
  }
}

// Reads along rows, writes down columns.
__global__ void transpose_naive_read(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    out[column * height + row + j] = in[(row + j) * width + column];
  }
}

// Reads down columns, writes along rows.
__global__ void transpose_naive_write(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;  // of the output
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    out[(row + j) * height + column] = in[column * width + row + j];
  }
}

// Reads and writes rows, through a tile; `Pad` extra floats per row spread its columns over banks.
template <int Pad>
__device__ void through_tile(float* out, const float* in, int width, int height, int tile_x,
                             int tile_y) {
  __shared__ float tile[kTile][kTile + Pad];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const float* from = in + (tile_y * kTile + y) * width + tile_x * kTile + x;
  for (int j = 0; j < kTile; j += kRows) tile[y + j][x] = from[j * width];
  __syncthreads();
  float* to = out + (tile_x * kTile + y) * height + tile_y * kTile + x;
  for (int j = 0; j < kTile; j += kRows) to[j * height] = tile[x][y + j];
}

__global__ void transpose_conflict(float* out, const float* in, int width, int height) {
  through_tile<0>(out, in, width, height, blockIdx.x, blockIdx.y);
}

__global__ void transpose_padded(float* out, const float* in, int width, int height) {
  through_tile<1>(out, in, width, height, blockIdx.x, blockIdx.y);
}

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += kRows) {
    out[(row + j) * width + column] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const float* from = in + (blockIdx.y * kTile + y) * width + blockIdx.x * kTile + x;
  for (int j = 0; j < kTile; j += kRows) tile[y + j][x] = from[j * width];
  __syncthreads();
  float* to = out + (blockIdx.x * kTile + y) * height + blockIdx.y * kTile + x;
  for (int j = 0; j < kTile; j += kRows) to[j * height] = tile[y + j][x];
}

// Consecutive blocks work on tiles along a diagonal, so that neither the rows that they read nor the
// columns that they write fall into one partition.
__global__ void transpose_diagonal(float* out, const float* in, int width, int height) {
  int tile_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  int tile_y = blockIdx.x;
  if (width != height) {
    const int block = blockIdx.x + gridDim.x * blockIdx.y;
    tile_y = block % gridDim.y;
    tile_x = (block / gridDim.y + tile_y) % gridDim.x;
  }
  through_tile<1>(out, in, width, height, tile_x, tile_y);
}
