// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: bank_conflicts line=46
// The kernel of many blogs, with float4 from the load to the store. But a thread owns eight
// neighbouring columns, so lanes are 32 bytes apart. Shared loads have two-way bank conflicts, and
// each store fills half of every sector.
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;

__device__ float4 load4(const float* p, int row, int col, int rows, int cols) {
  float4 v = {0, 0, 0, 0};
  if (row >= rows) return v;
  p += (size_t)row * cols + col;
  if (cols % 4 == 0 && col < cols) return *(const float4*)p;
  if (col < cols) v.x = p[0];
  if (col + 1 < cols) v.y = p[1];
  if (col + 2 < cols) v.z = p[2];
  if (col + 3 < cols) v.w = p[3];
  return v;
}

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK * BN];
  const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
  const int innerRowA = threadIdx.x / (BK / 4), innerColA = threadIdx.x % (BK / 4) * 4;
  const int innerRowB = threadIdx.x / (BN / 4), innerColB = threadIdx.x % (BN / 4) * 4;
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  float results[TM][TN] = {};
  float regM[TM], regN[TN];
  for (int bk = 0; bk < k; bk += BK) {
    const float4 t = load4(a, top + innerRowA, bk + innerColA, m, k);
    As[(innerColA + 0) * BM + innerRowA] = t.x;
    As[(innerColA + 1) * BM + innerRowA] = t.y;
    As[(innerColA + 2) * BM + innerRowA] = t.z;
    As[(innerColA + 3) * BM + innerRowA] = t.w;
    *(float4*)&Bs[innerRowB * BN + innerColB] = load4(b, bk + innerRowB, left + innerColB, k, n);
    __syncthreads();
#pragma unroll
    for (int dot = 0; dot < BK; ++dot) {
#pragma unroll
      for (int i = 0; i < TM; i += 4) {
        *(float4*)&regM[i] = *(const float4*)&As[dot * BM + threadRow * TM + i];
      }
#pragma unroll
      for (int i = 0; i < TN; i += 4) {
        *(float4*)&regN[i] = *(const float4*)&Bs[dot * BN + threadCol * TN + i];
      }
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) results[i][j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int row = top + threadRow * TM + i, col = left + threadCol * TN;
    if (row >= m) continue;
    float* to = c + (size_t)row * n + col;
    if (n % 4 == 0 && col + TN <= n) {
#pragma unroll
      for (int j = 0; j < TN; j += 4) {
        *(float4*)(to + j) =
            make_float4(results[i][j], results[i][j + 1], results[i][j + 2], results[i][j + 3]);
      }
    } else {
#pragma unroll
      for (int j = 0; j < TN; ++j)
        if (col + j < n) to[j] = results[i][j];
    }
  }
}
