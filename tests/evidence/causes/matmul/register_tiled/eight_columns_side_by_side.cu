// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=27
// says: A thread owns eight neighbouring columns and reads them word by word, so the lanes are 8
//   words apart and share four banks: take columns x + 16 q.
// never: Let each block load an element once
constexpr int kSide = 128, kDepth = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[kDepth][kSide + 1], bs[kDepth][kSide + 1];
  const int t = threadIdx.x, x = t % 16, y = t / 16;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  float sum[8][8] = {};
  for (int first = 0; first < k; first += kDepth) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int r = t / 8 + 32 * j, d = t % 8, e = t / 128 + 2 * j, q = t % 128;
      as[d][r] = top + r < m && first + d < k ? a[(top + r) * k + first + d] : 0;
      bs[e][q] = first + e < k && left + q < n ? b[(first + e) * n + left + q] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float ra[8], rb[8];
#pragma unroll
      for (int p = 0; p < 8; ++p) ra[p] = as[i][8 * y + p];
#pragma unroll
      for (int q = 0; q < 8; ++q) rb[q] = bs[i][8 * x + q];
#pragma unroll
      for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int q = 0; q < 8; ++q) sum[p][q] += ra[p] * rb[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 8; ++p) {
    float* to = c + (top + 8 * y + p) * n + left + 8 * x;
    if (top + 8 * y + p >= m) continue;
    if (n % 4 == 0) {
#pragma unroll
      for (int q = 0; q < 8; q += 4)
        if (left + 8 * x + q < n) *(float4*)(to + q) = make_float4(sum[p][q], sum[p][q + 1], sum[p][q + 2], sum[p][q + 3]);
      continue;
    }
#pragma unroll
    for (int q = 0; q < 8; ++q)
      if (left + 8 * x + q < n) to[q] = sum[p][q];
  }
}
