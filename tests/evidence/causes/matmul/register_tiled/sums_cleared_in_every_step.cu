// SPDX-License-Identifier: Apache-2.0
// cause: wrong_start line=15
// says: The sums are set to 0 in each step over k, so only the products of the last step remain; clear them once,
//   before the loop.

constexpr int kSide = 128, kStep = 8;

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float sa[kStep][kSide + 1], sb[kStep][kSide];
  const int t = threadIdx.x, tx = t & 15, ty = t >> 4;
  const int r0 = blockIdx.y * kSide, c0 = blockIdx.x * kSide;
  float sum[8][8];
  for (int k0 = 0; k0 < k; k0 += kStep) {
#pragma unroll
    for (int e = 0; e < 64; ++e) sum[e / 8][e % 8] = 0.0f;
    for (int e = t; e < kSide * kStep; e += 256) {
      const int ar = r0 + e / kStep, ak = k0 + e % kStep;
      sa[e % kStep][e / kStep] = ar < m && ak < k ? a[ar * k + ak] : 0.0f;
      const int bk = k0 + e / kSide, bc = c0 + e % kSide;
      sb[e / kSide][e % kSide] = bk < k && bc < n ? b[bk * n + bc] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kStep; ++i) {
      float u[8], v[8];
#pragma unroll
      for (int q = 0; q < 8; ++q) {
        u[q] = sa[i][ty + 16 * q];
        v[q] = sb[i][tx + 16 * q];
      }
#pragma unroll
      for (int e = 0; e < 64; ++e) sum[e / 8][e % 8] += u[e / 8] * v[e % 8];
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < 64; ++e) {
    const int row = r0 + ty + 16 * (e / 8), column = c0 + tx + 16 * (e % 8);
    if (row < m && column < n) c[row * n + column] = sum[e / 8][e % 8];
  }
}
