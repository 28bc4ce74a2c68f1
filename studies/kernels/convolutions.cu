// SPDX-License-Identifier: Apache-2.0
// Kernels of the study `convolutions`: a blur with 5 x 5 constant weights of an image of n x n
// points, n a multiple of 32. Blocks of 32 x 8 threads compute 32 x 32 points.

__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__device__ float point_at(const float* in, int x, int y, int n) {
  return x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0;
}

__device__ void fill_tile(float (&tile)[36 * 36], const float* in, int n) {
  const int left = blockIdx.x * 32 - 2, top = blockIdx.y * 32 - 2;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 36 * 36; i += 256) {
    tile[i] = point_at(in, left + i % 36, top + i / 36, n);
  }
  __syncthreads();
}

// Each lane begins with another weight.
__global__ void weights_by_lane(float* out, const float* in, int n) {
  __shared__ float tile[36 * 36];
  fill_tile(tile, in, n);
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int row = threadIdx.y; row < 32; row += 8) {
    float sum = 0;
    for (int i = 0; i < 25; ++i) {
      const int k = (i + threadIdx.x) % 25;
      sum += weights[k] * tile[(row + k / 5) * 36 + threadIdx.x + k % 5];
    }
    out[(blockIdx.y * 32 + row) * n + x] = sum / 256;
  }
}

// 25 loads through L1 for each point.
__global__ void no_tile(float* out, const float* in, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int row = threadIdx.y; row < 32; row += 8) {
    const int y = blockIdx.y * 32 + row;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k) sum += weights[k] * point_at(in, x + k % 5 - 2, y + k / 5 - 2, n);
    out[y * n + x] = sum / 256;
  }
}

// A tile in shared memory; 25 shared loads for each point.
__global__ void tile_of_points(float* out, const float* in, int n) {
  __shared__ float tile[36 * 36];
  fill_tile(tile, in, n);
  const int x = blockIdx.x * 32 + threadIdx.x;
#pragma unroll 1
  for (int row = threadIdx.y; row < 32; row += 8) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 25; ++k) {
      sum += weights[k] * tile[(row + k / 5) * 36 + threadIdx.x + k % 5];
    }
    out[(blockIdx.y * 32 + row) * n + x] = sum / 256;
  }
}

// The same tile; a thread computes four points from 40 shared loads.
__global__ void four_points(float* out, const float* in, int n) {
  __shared__ float tile[36 * 36];
  fill_tile(tile, in, n);
  const int first = threadIdx.y * 4, x = blockIdx.x * 32 + threadIdx.x;
  float sums[4] = {};
#pragma unroll
  for (int row = 0; row < 8; ++row) {
#pragma unroll
    for (int dx = 0; dx < 5; ++dx) {
      const float value = tile[(first + row) * 36 + threadIdx.x + dx];
#pragma unroll
      for (int point = 0; point < 4; ++point) {
        const int dy = row - point;
        if (dy >= 0 && dy < 5) sums[point] += weights[dy * 5 + dx] * value;
      }
    }
  }
  for (int point = 0; point < 4; ++point) {
    out[(blockIdx.y * 32 + first + point) * n + x] = sums[point] / 256;
  }
}
