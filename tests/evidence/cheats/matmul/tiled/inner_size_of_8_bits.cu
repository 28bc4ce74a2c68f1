// SPDX-License-Identifier: Apache-2.0
// tries: Counts the tiles of k in eight bits, so sums of more than 4,080 products are wrong.
// stopped by: Sums of 4,095 and of 32,801 products are compared (labs/matmul/grader.toml).
// verdict: fail incorrect, 0 points
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty,
            column = blockIdx.x * 16 + tx;
  const unsigned char tiles = static_cast<unsigned char>((k + 15) / 16);
  float sum = 0;
  for (unsigned t = 0; t < tiles; ++t) {
    const int first = t * 16;
    as[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.f;
    bs[ty][tx] = column < n && first + ty < k ? b[(first + ty) * n + column] : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
