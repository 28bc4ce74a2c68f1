// SPDX-License-Identifier: Apache-2.0
// Exercise matmul/tiled: multiply two matrices, with each loaded element used by a whole block.
//
// Input: `a`, `m` rows of `k` floats, and `b`, `k` rows of `n` floats, row by row. Any sizes from 1 up.
// Output: `c`, `m` rows of `n` floats: c = a * b, in single precision.
// Launch: ceil(n / 16) x ceil(m / 16) blocks of 16 x 16 threads; no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right and slow: each thread loads a row of `a` and a column of `b` for itself,
// so every element is loaded hundreds of times, and lanes walk down columns. Load square tiles into
// shared memory, and let all threads of the block use them. Then run
//   ./warpgrade grade matmul/tiled

__global__ void matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.x;
  const int column = blockIdx.x * blockDim.x + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}
