// SPDX-License-Identifier: Apache-2.0
// cause: uninitialised|missing_edge line=15
// says: The first loop fills only 24 of the 32 rows of the tile, so the last 8 are read without
//   having been written.
// never: barrier
constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float buffer[kTile * (kTile + 1)];
  float* t = buffer;
  const int pitch = kTile + 1;
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile - kRows; j += kRows) {
    if (column < width && row + j < height)
      t[(threadIdx.y + j) * pitch + threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int oc = blockIdx.y * kTile + threadIdx.x;
  const int orow = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    if (oc < height && orow + j < width) out[(orow + j) * height + oc] = t[threadIdx.x * pitch + threadIdx.y + j];
  }
}
