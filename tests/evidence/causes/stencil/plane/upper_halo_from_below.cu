// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index|wrong_operation line=16
// says: The row above the tile is one row before the point, point[-width], and not one behind it.
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
    if (threadIdx.y == 0 && y > 0) tile[0][column] = point[width];
    if (threadIdx.y == kHeight - 1 && y < height - 1) tile[kHeight + 1][column] = point[width];
    if (threadIdx.x == 0 && x > 0) tile[row][0] = point[-1];
    if (threadIdx.x == kWidth - 1 && x < width - 1) tile[row][kWidth + 1] = point[1];
  }
  __syncthreads();

  if (!is_inside) return;
  float result = tile[row][column];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    result += tile[row][column - 1] + tile[row][column + 1];
    result += tile[row - 1][column] + tile[row + 1][column];
    result *= 0.2f;
  }
  out[static_cast<long long>(y) * width + x] = result;
}
