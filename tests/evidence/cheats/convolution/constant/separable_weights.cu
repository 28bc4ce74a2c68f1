// SPDX-License-Identifier: Apache-2.0
// tries: Replaces the 25 weights by a product of a row and a column that is close to them: 10
//   multiply-adds per point instead of 25.
// stopped by: Results are compared with a reference, bit by bit (common/verify/compare.cpp).
// verdict: fail incorrect, 0 points
__device__ constexpr float kRow[5] = {18 / 16.f, 62 / 16.f, 93 / 16.f, 62 / 16.f, 26 / 16.f};
__device__ constexpr float kColumn[5] = {17 / 16.f, 50 / 16.f, 96 / 16.f, 61 / 16.f, 32 / 16.f};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36][36];
  const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 32 - 2;
  for (int row = threadIdx.y; row < 36; row += 8) {
    for (int column = threadIdx.x; column < 36; column += 32) {
      const int x = left + column, y = top + row;
      const bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
      tile[row][column] = is_inside ? in[1LL * y * width + x] : 0;
    }
  }
  __syncthreads();

  const int first = threadIdx.y * 4, x = blockIdx.x * 32 + threadIdx.x;
  float sums[4] = {};
#pragma unroll
  for (int row = 0; row < 8; ++row) {
#pragma unroll
    for (int dx = 0; dx < 5; ++dx) {
      const float value = tile[first + row][threadIdx.x + dx];
#pragma unroll
      for (int point = 0; point < 4; ++point) {
        const int dy = row - point;
        if (dy >= 0 && dy < 5) sums[point] += kRow[dx] * kColumn[dy] * value;
      }
    }
  }
  for (int point = 0; point < 4; ++point) {
    const int y = blockIdx.y * 32 + first + point;
    if (x < width && y < height) out[1LL * y * width + x] = sums[point] / 256;
  }
}
