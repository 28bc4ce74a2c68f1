// SPDX-License-Identifier: Apache-2.0
// cause: busy_pipe line=19
// says: The sum is compensated and in double: two conversions and several fp64 operations for
//   each product keep those pipes busy. A float multiply-add is enough.
// never: into shared memory
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  double sum = 0, lost = 0;
  for (int first = 0; first < k; first += kTile) {
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) {
      const double u = tile_a[y][i], v = tile_b[i][x], product = u * v + (fma(u, v, -u * v) - lost);
      const double next = sum + product;
      lost = next - sum - product;
      sum = next;
    }
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
