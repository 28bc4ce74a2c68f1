// SPDX-License-Identifier: Apache-2.0
// Transposes whose threads or blocks do the work of `Factor` original ones. `in` has `height` rows
// of `width` floats; sizes are multiples of the area of a block.
//
// The naive one has one thread per element, in blocks of 32 x 16: each reads rows and writes
// columns. Thread level: a block of 32 x 16 / Factor threads covers the same 32 x 16 elements. Block
// level: a block covers Factor neighbouring pieces of a row. The padded one uses 32 x 8
// threads and covers Factor tiles of a row, each with a tile of its own in shared memory.
constexpr int kTile = 32;
constexpr int kRows = 8;
constexpr int kNaiveRows = 16;

template <int Factor>
__global__ void naive_threads(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kNaiveRows + threadIdx.y;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const int at = row + c * (kNaiveRows / Factor);
    out[column * height + at] = in[at * width + column];
  }
}

template <int Factor>
__global__ void naive_blocks(float* out, const float* in, int width, int height) {
  const int row = blockIdx.y * kNaiveRows + threadIdx.y;
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const int column = (blockIdx.x * Factor + c) * kTile + threadIdx.x;
    out[column * height + row] = in[row * width + column];
  }
}

template <int Factor>
__global__ void padded_blocks(float* out, const float* in, int width, int height) {
  extern __shared__ float tiles[];  // Factor tiles of kTile rows of kTile + 1
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const auto place = [&](int tile, int row, int column) -> float& {
    return tiles[(tile * kTile + row) * (kTile + 1) + column];
  };
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const int column = (blockIdx.x * Factor + c) * kTile + x;
    for (int j = 0; j < kTile; j += kRows) {
      place(c, y + j, x) = in[(blockIdx.y * kTile + y + j) * width + column];
    }
  }
  __syncthreads();
#pragma unroll
  for (int c = 0; c < Factor; ++c) {
    const int row = (blockIdx.x * Factor + c) * kTile + y;
    for (int j = 0; j < kTile; j += kRows) {
      out[(row + j) * height + blockIdx.y * kTile + x] = place(c, x, y + j);
    }
  }
}
