// SPDX-License-Identifier: Apache-2.0
// Transposes of width x height matrices: direct ones, tiles as students write them (guards in
// the loop, blockDim.y as the step, square tiles of 16), doubles, bytes, and strips of tiles.
// Blocks are 32 x 8 for tiles of 32 and 16 x 16 for tiles of 16, except in the kernels
// `by_block`.

__global__ void direct_read_rows(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) out[x * height + y + j] = in[(y + j) * width + x];
  }
}

__global__ void direct_write_rows(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < height && y + j < width) out[(y + j) * height + x] = in[x * width + y + j];
  }
}

// One element per thread, for blocks of any shape.
__global__ void direct_element(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// Dim x Dim tiles with `Pad` words of padding per row; Rows is the block's height.
template <class T, int Dim, int Rows, int Pad>
__global__ void tile(T* out, const T* in, int width, int height) {
  __shared__ T words[Dim][Dim + Pad];
  int x = blockIdx.x * Dim + threadIdx.x;
  int y = blockIdx.y * Dim + threadIdx.y;
  for (int j = 0; j < Dim; j += Rows) {
    if (x < width && y + j < height) words[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * Dim + threadIdx.x;
  y = blockIdx.x * Dim + threadIdx.y;
  for (int j = 0; j < Dim; j += Rows) {
    if (x < height && y + j < width)
      out[(y + j) * height + x] = words[threadIdx.x][threadIdx.y + j];
  }
}

// The step is blockDim.y, which the compiler does not know, so it unrolls no loop.
template <class T, int Pad>
__global__ void tile_by_block(T* out, const T* in, int width, int height) {
  __shared__ T words[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    const int y = blockIdx.y * 32 + r;
    if (x < width && y < height) words[r][threadIdx.x] = in[y * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += blockDim.y) {
    const int y = blockIdx.x * 32 + r;
    if (x < height && y < width) out[y * height + x] = words[threadIdx.x][r];
  }
}

// No guards: width and height are multiples of 32.
__global__ void tile_unguarded(float* out, const float* in, int width, int height) {
  __shared__ float words[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) words[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x;
  const int to_y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    out[(to_y + j) * height + to_x] = words[threadIdx.x][threadIdx.y + j];
  }
}

// A tile without padding; the column index is XORed with the row.
__global__ void tile_swizzled(float* out, const float* in, int width, int height) {
  __shared__ float words[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    const int row = threadIdx.y + j;
    if (x < width && y + j < height) words[row][threadIdx.x ^ row] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    const int row = threadIdx.y + j;
    if (x < height && y + j < width)
      out[(y + j) * height + x] = words[threadIdx.x][row ^ threadIdx.x];
  }
}

// Each block transposes a strip of `Tiles` tiles, one at a time.
template <int Tiles>
__global__ void strip(float* out, const float* in, int width, int height) {
  __shared__ float words[32][33];
  for (int t = 0; t < Tiles; ++t) {
    const int column = (blockIdx.x * Tiles + t) * 32;
    int x = column + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
      if (x < width && y + j < height)
        words[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = column + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
      if (x < height && y + j < width)
        out[(y + j) * height + x] = words[threadIdx.x][threadIdx.y + j];
    }
    __syncthreads();
  }
}
