// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: uncoalesced_store line=12
// Stores the transposed tile straight to `out`, so the lanes go down its columns.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  const int first_column = blockIdx.x * kTile;
  const int first_row = blockIdx.y * kTile;
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    out[(first_row + threadIdx.x) * width + first_column + j] =
        in[(first_row + j) * width + first_column + threadIdx.x];
  }
}
