// SPDX-License-Identifier: Apache-2.0
// A template over the radius, and a struct for the image and its bounds.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

struct Image {
  const float* points;
  int width, height;
  __device__ float operator()(int x, int y) const {
    if (unsigned(x) >= unsigned(width) || unsigned(y) >= unsigned(height)) return 0;
    return __ldg(points + 1LL * y * width + x);
  }
};

template <int Radius>
__device__ void sum_up(float (&sums)[4], const float (&tile)[32 + 2 * Radius][32 + 2 * Radius],
                       int first) {
  constexpr int kSide = 2 * Radius + 1;
#pragma unroll
  for (int row = 0; row < 4 + 2 * Radius; ++row) {
#pragma unroll
    for (int dx = 0; dx < kSide; ++dx) {
      const float value = tile[first + row][threadIdx.x + dx];
#pragma unroll
      for (int point = 0; point < 4; ++point) {
        const int dy = row - point;
        if (dy >= 0 && dy < kSide) sums[point] += weights[dy * kSide + dx] * value;
      }
    }
  }
}

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36][36];
  const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 32 - 2;
  for (int row = threadIdx.y; row < 36; row += 8) {
    for (int column = threadIdx.x; column < 36; column += 32) {
      tile[row][column] = Image{in, width, height}(left + column, top + row);
    }
  }
  __syncthreads();

  const int first = threadIdx.y * 4, x = blockIdx.x * 32 + threadIdx.x;
  float sums[4] = {};
  sum_up<2>(sums, tile, first);
  for (int point = 0; point < 4; ++point) {
    const int y = blockIdx.y * 32 + first + point;
    if (x < width && y < height) out[1LL * y * width + x] = sums[point] / 256;
  }
}
