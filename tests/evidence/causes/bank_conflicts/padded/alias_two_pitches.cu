// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=18
// says: The tile is written with rows of 33 words and read with rows of 32: both must use the
//   same length.
// never: barrier
constexpr int kTile = 32;
constexpr int kPitch = 33;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile * kPitch];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float* mine = tile + threadIdx.y * kPitch + threadIdx.x;
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) mine[j * kPitch] = in[(row + j) * width + column];
  }
  __syncthreads();
  const float* theirs = tile + threadIdx.x * kTile + threadIdx.y;
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) {
    if (out_column < height && out_row + j < width) out[(out_row + j) * height + out_column] = theirs[j];
  }
}
