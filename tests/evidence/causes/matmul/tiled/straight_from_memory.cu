// SPDX-License-Identifier: Apache-2.0
// cause: no_tile|redundant_loads line=13
// says: Each thread loads its row of a and its column of b from global memory, 16 times as often
//   as a block needs: load tiles into shared memory.
// never: Neighbouring lanes must load
__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  const float* left = a + row * k;
  const float* right = b + column;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < k; ++i, right += n) sum += left[i] * *right;
  c[row * n + column] = sum;
}
