// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=wide
// cause: wrong_stride
// Uses `height` as the row length of `in`. It is `width`, so only squares are correct. The check
// against width * height hides the error.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int index = (row + j) * height + column;
    tile[threadIdx.y + j][threadIdx.x] = index < width * height ? in[index] : 0.0f;
  }
  __syncthreads();
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
