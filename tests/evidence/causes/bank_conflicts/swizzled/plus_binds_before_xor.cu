// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=19
// says: `y ^ x + j` is y ^ (x + j), but the element went to place (y + j) ^ x: put parentheses around y + j.

constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;

  for (int j = 0; j < kTile; j += 8) {
    const int row = blockIdx.y * kTile + y + j, column = blockIdx.x * kTile + x;
    if (row < height && column < width) tile[y + j][x ^ (y + j)] = in[row * width + column];
  }
  __syncthreads();
  for (int j = 0; j < kTile; j += 8) {
    const int row = blockIdx.x * kTile + y + j, column = blockIdx.y * kTile + x;
    if (row < width && column < height) {
      out[row * height + column] = tile[x][(y ^ x + j) & 31];
    }
  }
}
