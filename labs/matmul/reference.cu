// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab, computed in the simplest way: one element of c per thread, summed
// in double precision.

__global__ void matmul_reference(float* c, const float* a, const float* b, int m, int n, int k) {
  const int element = blockIdx.x * blockDim.x + threadIdx.x;
  if (element >= m * n) return;
  const int row = element / n, column = element % n;
  double sum = 0;
  for (int i = 0; i < k; ++i) sum += double(a[row * k + i]) * b[i * n + column];
  c[element] = float(sum);
}
