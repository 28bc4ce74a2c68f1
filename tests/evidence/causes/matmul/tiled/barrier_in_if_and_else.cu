// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=17
// says: Threads inside and outside the matrix wait at two different barriers, one in the if and
//   one in the else: use one barrier for all.
// never: between the if
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    if (row < m && column < n) {
      tile_a[y][x] = first + x < k ? a[row * k + first + x] : 0;
      tile_b[y][x] = first + y < k ? b[(first + y) * n + column] : 0;
      __syncthreads();
    } else {
      tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
      tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
      __syncthreads();
    }
    for (int i = 0; i < kTile; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
