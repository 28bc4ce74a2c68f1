// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard
// The textbook kernel: square matrices, a width that is a multiple of the tile, no bounds checks.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, width = k;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int tile = 0; tile < width / kTile; ++tile) {
    tile_a[y][x] = a[row * width + tile * kTile + x];
    tile_b[y][x] = b[(tile * kTile + y) * width + column];
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}
