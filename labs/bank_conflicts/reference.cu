// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: what the exercises mean, with nothing done for speed. Thread t
// makes element t of the output, a matrix of `height` columns.

constexpr int kTile = 32;

__global__ void transpose_reference(float* out, const float* in, int width, int height) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / height, column = t % height;
  if (row < width) out[t] = in[column * width + row];
}

// Inside its tile of 32 x 32 an element changes places with its mirror image; tiles stay.
__global__ void fine_reference(float* out, const float* in, int width, int height) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / width, column = t % width;
  if (row >= height) return;
  const int in_row = row / kTile * kTile + column % kTile;
  const int in_column = column / kTile * kTile + row % kTile;
  out[t] = in[in_row * width + in_column];
}

// Each tile moves across the diagonal; an element keeps its place in its tile.
__global__ void coarse_reference(float* out, const float* in, int width, int height) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = t / height, column = t % height;
  if (row >= width) return;
  const int in_row = column / kTile * kTile + row % kTile;
  const int in_column = row / kTile * kTile + column % kTile;
  out[t] = in[in_row * width + in_column];
}
