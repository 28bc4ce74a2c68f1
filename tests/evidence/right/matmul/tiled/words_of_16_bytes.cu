// SPDX-License-Identifier: Apache-2.0
// 64 threads load the tile of `a` and 64 others the tile of `b`. Each loads 16 bytes if the rows of
// the matrix are aligned to 16 bytes.
constexpr int kTile = 16;

// Returns four elements of a row, starting at `column`; elements outside the matrix are 0.
__device__ float4 four(const float* from, int row, int column, int rows, int columns) {
  if (row >= rows) return make_float4(0, 0, 0, 0);
  const float* at = from + row * columns + column;
  if (columns % 4 == 0 && column < columns) return *reinterpret_cast<const float4*>(at);
  float4 out = {0, 0, 0, 0};
  if (column < columns) out.x = at[0];
  if (column + 1 < columns) out.y = at[1];
  if (column + 2 < columns) out.z = at[2];
  if (column + 3 < columns) out.w = at[3];
  return out;
}

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float4 tile_a[kTile][kTile / 4], tile_b[kTile][kTile / 4];
  const int x = threadIdx.x, y = threadIdx.y, thread = y * kTile + x;
  const int top = blockIdx.y * kTile, left = blockIdx.x * kTile;
  const int r = thread / 4 % kTile, q = thread % 4;
  float sum = 0;
  for (int first = 0; first < k; first += kTile) {
    if (thread < 64) tile_a[r][q] = four(a, top + r, first + q * 4, m, k);
    if (thread >= 64 && thread < 128) tile_b[r][q] = four(b, first + r, left + q * 4, k, n);
    __syncthreads();
    const float* row = reinterpret_cast<const float*>(tile_a[y]);
    const float* column = reinterpret_cast<const float*>(tile_b) + x;
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += row[i] * column[i * kTile];
    __syncthreads();
  }
  if (top + y < m && left + x < n) c[(top + y) * n + left + x] = sum;
}
