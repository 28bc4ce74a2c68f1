// SPDX-License-Identifier: Apache-2.0
// cause: infinite_loop line=12
// says: The loop never changes j, so it never ends: add j += 8.
constexpr int kTile = 32;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  int j = 0;
  while (j < kTile) {
    ((volatile float*)out)[(out_row + j) * height + out_column] = in[(row + j) * width + column];
  }
}
