// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices|wrong_index line=14
// says: The blocks are exchanged on both sides, so every tile goes back to its own place;
//   exchange them on one side only.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int in_row = blockIdx.x * kTile + threadIdx.y;
  const int in_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  for (int j = 0; j < kTile; j += 8) {
    out[(out_row + j) * height + out_column] = in[(in_row + j) * width + in_column];
  }
}
