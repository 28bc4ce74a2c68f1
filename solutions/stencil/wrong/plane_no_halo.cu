// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// Copies the points at the edge of each block, as if the plane ended there.
constexpr int kWidth = 32;
constexpr int kHeight = 8;

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float tile[kHeight + 2][kWidth + 2];

  const int x = blockIdx.x * kWidth + threadIdx.x, y = blockIdx.y * kHeight + threadIdx.y;
  const int column = threadIdx.x + 1, row = threadIdx.y + 1;
  const bool is_inside = x < width && y < height;
  const float* const point = in + static_cast<long long>(y) * width + x;
  if (is_inside) {
    tile[row][column] = *point;
  }
  __syncthreads();

  if (!is_inside) return;
  float result = tile[row][column];
  const bool is_tile_edge = threadIdx.x == 0 || threadIdx.y == 0 || threadIdx.x == kWidth - 1 ||
                            threadIdx.y == kHeight - 1;
  if (!is_tile_edge && x < width - 1 && y < height - 1) {
    result += tile[row][column - 1] + tile[row][column + 1];
    result += tile[row - 1][column] + tile[row + 1][column];
    result *= 0.2f;
  }
  out[static_cast<long long>(y) * width + x] = result;
}
