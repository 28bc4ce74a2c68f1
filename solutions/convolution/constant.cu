// SPDX-License-Identifier: Apache-2.0
// Exercise convolution/constant, solved: a tile with its halo, and four points per thread.
//
// The block loads its 32 x 32 points and two more on each side into shared memory: 36 rows of six
// sectors. All 256 threads walk over the 1,296 values, so hardly any of them is idle. Points
// outside of the image become zeros there, and the sums need no conditions. A thread computes four
// points, one below the other, which need 8 rows of 5 columns. It loads each of those 40 values
// once and adds it to up to four sums: 10 shared loads per point instead of 25. All lanes use the
// same weight, so it is one pass through constant memory, or an operand of the multiply-add once
// the loops are unrolled.

constexpr int kTile = 32;
constexpr int kHalo = 2;
constexpr int kSide = kTile + 2 * kHalo;
constexpr int kThreads = 256;
constexpr int kPoints = 4;  // per thread

__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[kSide * kSide];

  const int left = blockIdx.x * kTile - kHalo, top = blockIdx.y * kTile - kHalo;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kSide * kSide; i += kThreads) {
    const int x = left + i % kSide, y = top + i / kSide;
    const bool is_inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[i] = is_inside ? in[1LL * y * width + x] : 0;
  }
  __syncthreads();

  const int first = threadIdx.y * kPoints;
  float sums[kPoints] = {};
#pragma unroll
  for (int row = 0; row < kPoints + 2 * kHalo; ++row) {
#pragma unroll
    for (int dx = 0; dx < 5; ++dx) {
      const float value = tile[(first + row) * kSide + threadIdx.x + dx];
#pragma unroll
      for (int point = 0; point < kPoints; ++point) {
        const int dy = row - point;
        if (dy >= 0 && dy < 5) sums[point] += weights[dy * 5 + dx] * value;
      }
    }
  }

  const int x = blockIdx.x * kTile + threadIdx.x;
  if (x >= width) return;
#pragma unroll
  for (int point = 0; point < kPoints; ++point) {
    const int y = blockIdx.y * kTile + first + point;
    if (y < height) out[1LL * y * width + x] = sums[point] / 256;
  }
}
