// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=conflicts_stores_h200
// cause: bank_conflicts
// Transposes the tile when it stores to shared memory and again when it loads. The result is
// correct, but both accesses have 32-way bank conflicts.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    tile[threadIdx.x][threadIdx.y + j] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
