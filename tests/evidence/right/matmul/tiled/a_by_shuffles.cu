// SPDX-License-Identifier: Apache-2.0
// Each lane keeps one element of `a` in a register; the other lanes of its row get it by shuffles.
constexpr int kTile = 16;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    const float own = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += __shfl_sync(~0u, own, i, kTile) * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
