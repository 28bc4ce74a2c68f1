// SPDX-License-Identifier: Apache-2.0
// Exercise matmul/register_tiled: multiply two matrices, with each word of shared memory used by many
// multiply-adds.
//
// Input: `a`, `m` rows of `k` floats, and `b`, `k` rows of `n` floats, row by row. Any sizes from 1 up.
// Output: `c`, `m` rows of `n` floats: c = a * b, in single precision.
// Launch: ceil(n / 128) x ceil(m / 128) blocks of 256 threads; no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow. It goes through its 128 x 128 elements of `c` in 16 products of
// 32 x 32, with 2 x 2 sums per thread: each multiply-add still needs one word from shared memory, and
// the tiles are loaded again for each product. Let each thread keep 8 x 8 sums instead, so that one
// pass over k is enough. Then run
//   ./warpgrade grade matmul/register_tiled

constexpr int kTile = 32, kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kDepth + 1], tile_b[kDepth][kTile];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  for (int part = 0; part < 16; ++part) {
    const int top = blockIdx.y * 128 + part / 4 * kTile, left = blockIdx.x * 128 + part % 4 * kTile;
    float sum[2][2] = {};
    for (int first = 0; first < k; first += kDepth) {
      const int row = top + thread / kDepth, inner_a = first + thread % kDepth;
      const int column = left + thread % kTile, inner_b = first + thread / kTile;
      tile_a[thread / kDepth][thread % kDepth] = row < m && inner_a < k ? a[row * k + inner_a] : 0;
      tile_b[thread / kTile][thread % kTile] = inner_b < k && column < n ? b[inner_b * n + column] : 0;
      __syncthreads();
      for (int i = 0; i < kDepth; ++i) {
        for (int p = 0; p < 2; ++p) {
          for (int q = 0; q < 2; ++q) sum[p][q] += tile_a[y + 16 * p][i] * tile_b[i][x + 16 * q];
        }
      }
      __syncthreads();
    }
    for (int p = 0; p < 2; ++p) {
      for (int q = 0; q < 2; ++q) {
        const int row = top + y + 16 * p, column = left + x + 16 * q;
        if (row < m && column < n) c[row * n + column] = sum[p][q];
      }
    }
  }
}
