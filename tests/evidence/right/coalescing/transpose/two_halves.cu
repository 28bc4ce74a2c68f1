// SPDX-License-Identifier: Apache-2.0
// Half a tile at a time, 16 rows of 33 words.
constexpr int kTile = 32;
constexpr int kHalf = kTile / 2;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float half_tile[kHalf][kTile + 1];
  const int thread = threadIdx.y * kTile + threadIdx.x;
  for (int half = 0; half < 2; ++half) {
    const int first_row = blockIdx.y * kTile + half * kHalf;
    const int column = blockIdx.x * kTile + threadIdx.x;
    for (int y = threadIdx.y; y < kHalf; y += 8) {
      if (column < width && first_row + y < height) {
        half_tile[y][threadIdx.x] = in[(first_row + y) * width + column];
      }
    }
    __syncthreads();
    const int y = thread % kHalf;
    for (int x = thread / kHalf; x < kTile; x += 16) {
      const int out_row = blockIdx.x * kTile + x;
      if (out_row < width && first_row + y < height) {
        out[out_row * height + first_row + y] = half_tile[y][x];
      }
    }
    __syncthreads();
  }
}
