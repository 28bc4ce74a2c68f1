// SPDX-License-Identifier: Apache-2.0
#include <cuda_fp16.h>

__global__ void product_reference(float* out, const __half* a, const __half* b, int n, int k) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += __half2float(a[row * k + i]) * __half2float(b[i * n + column]);
  out[row * n + column] = sum;
}
