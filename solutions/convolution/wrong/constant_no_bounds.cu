// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=36
// Stores points beyond the right and lower edge of the image.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

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
        if (dy >= 0 && dy < 5) sums[point] += weights[dy * 5 + dx] * value;
      }
    }
  }
  for (int point = 0; point < 4; ++point) {
    const int y = blockIdx.y * 32 + first + point;
    out[1LL * y * width + x] = sums[point] / 256;
  }
}
