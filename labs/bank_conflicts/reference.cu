// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: what the exercises mean, with nothing done for speed. One
// thread handles one element, for any block size; the grid must cover the matrix.

constexpr int kTile = 32;

__global__ void transpose_reference(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) out[column * height + row] = in[row * width + column];
}

// Inside its tile of 32 x 32 an element changes places with its mirror image; tiles stay.
__global__ void fine_reference(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const int out_row = row / kTile * kTile + column % kTile;
  const int out_column = column / kTile * kTile + row % kTile;
  out[out_row * width + out_column] = in[row * width + column];
}

// Tiles change places with their mirror images; inside its tile an element stays where it is.
__global__ void coarse_reference(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const int out_row = column / kTile * kTile + row % kTile;
  const int out_column = row / kTile * kTile + column % kTile;
  out[out_row * height + out_column] = in[row * width + column];
}
