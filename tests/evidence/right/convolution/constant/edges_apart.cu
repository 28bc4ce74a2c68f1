// SPDX-License-Identifier: Apache-2.0
// Blocks inside of the image load without conditions; four threads per row load the last columns.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36][36];
  const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 32 - 2;
  const auto point_at = [&](int x, int y) {
    return x >= 0 && x < width && y >= 0 && y < height ? in[1LL * y * width + x] : 0;
  };
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const int side_row = thread / 4, side_column = 32 + thread % 4;
  if (left >= 0 && top >= 0 && left + 36 <= width && top + 36 <= height) {
    const float* const corner = in + 1LL * top * width + left;
    for (int row = threadIdx.y; row < 36; row += 8) {
      tile[row][threadIdx.x] = corner[row * width + threadIdx.x];
    }
    if (side_row < 36) tile[side_row][side_column] = corner[side_row * width + side_column];
  } else {
    for (int row = threadIdx.y; row < 36; row += 8) {
      tile[row][threadIdx.x] = point_at(left + threadIdx.x, top + row);
    }
    if (side_row < 36) tile[side_row][side_column] = point_at(left + side_column, top + side_row);
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
        if (dy >= 0 && dy < 5) sums[point] += weights[dy * 5 + dx] * value;
      }
    }
  }
  for (int point = 0; point < 4; ++point) {
    const int y = blockIdx.y * 32 + first + point;
    if (x < width && y < height) out[1LL * y * width + x] = sums[point] / 256;
  }
}
