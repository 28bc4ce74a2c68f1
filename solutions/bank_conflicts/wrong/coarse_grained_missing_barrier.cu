// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=18
// No barrier, although each warp reads rows of the tile that another warp wrote: it reads each
// group of eight rows in reverse order.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int in_first = blockIdx.y * kTile * width + blockIdx.x * kTile;
  for (int y = threadIdx.y; y < kTile; y += kBlockRows) {
    tile[y][threadIdx.x] = in[in_first + y * width + threadIdx.x];
  }
  const int out_first = blockIdx.x * kTile * height + blockIdx.y * kTile;
  for (int y = kBlockRows - 1 - threadIdx.y; y < kTile; y += kBlockRows) {
    out[out_first + y * height + threadIdx.x] = tile[y][threadIdx.x];
  }
}
