// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=12
// says: Both accesses to the tile follow a column of 32-word rows, so all words of a warp are in
//   one bank; the tile is not needed at all.
constexpr int kTile = 32;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    tile[threadIdx.x][threadIdx.y + j] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
  }
}
