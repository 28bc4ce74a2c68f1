// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: partial_sectors line=74
// Two groups of four neighbouring columns per thread, stored one by one: lanes are 16 bytes apart.
constexpr int kSide = 128;  // rows and columns of c per block
constexpr int kDepth = 8;   // columns of a, and rows of b, per step
constexpr int kOwn = 8;     // rows and columns of c per thread
constexpr int kPadded = kSide + 4;

struct Tiles {
  float a[kDepth][kPadded];  // transposed
  float b[kDepth][kSide];
};

// Maps row or column i of a thread's eight to one of the block's 128.
__device__ int place(int thread, int i) { return i / 4 * 64 + thread * 4 + i % 4; }

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ __align__(16) Tiles tiles[2];
  const int thread = threadIdx.x, x = thread % 16, y = thread / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  // Each thread loads four elements of a, 32 rows apart, and four of b, two rows apart.
  const int a_column = thread % kDepth, a_row = thread / kDepth;
  const int b_column = thread % kSide, b_row = thread / kSide;
  float next_a[4], next_b[4];
  const auto load = [&](int first) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = top + a_row + 32 * j, inner = first + b_row + 2 * j;
      next_a[j] = row < m && first + a_column < k ? a[row * k + first + a_column] : 0;
      next_b[j] = inner < k && left + b_column < n ? b[inner * n + left + b_column] : 0;
    }
  };
  const auto store = [&](Tiles& to) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      to.a[a_column][a_row + 32 * j] = next_a[j];
      to.b[b_row + 2 * j][b_column] = next_b[j];
    }
  };
  __align__(16) float sum[kOwn][kOwn] = {};
  load(0);
  store(tiles[0]);
  __syncthreads();
  int now = 0;
  for (int first = 0; first < k; first += kDepth, now ^= 1) {
    const bool is_last = first + kDepth >= k;
    if (!is_last) load(first + kDepth);
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      __align__(16) float own_a[kOwn], own_b[kOwn];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        *(float4*)&own_a[4 * half] = *(const float4*)&tiles[now].a[i][place(y, 4 * half)];
        *(float4*)&own_b[4 * half] = *(const float4*)&tiles[now].b[i][place(x, 4 * half)];
      }
#pragma unroll
      for (int p = 0; p < kOwn; ++p) {
#pragma unroll
        for (int q = 0; q < kOwn; ++q) sum[p][q] += own_a[p] * own_b[q];
      }
    }
    if (!is_last) store(tiles[now ^ 1]);
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < kOwn; ++p) {
    const int row = top + place(y, p);
#pragma unroll
    for (int q = 0; q < kOwn; q += 4) {
      const int column = left + place(x, q);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (row < m && column + j < n) c[row * n + column + j] = sum[p][q + j];
      }
    }
  }
}
