// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=tensor_cores
// Right, an element at a time.
#include <cuda_fp16.h>

__global__ void product(float* out, const __half* a, const __half* b, int n, int k) {
  for (int e = threadIdx.x; e < 256; e += 32) {
    const int row = 16 * blockIdx.y + e / 16;
    const int column = 16 * blockIdx.x + e % 16;
    float sum = 0;
    for (int i = 0; i < k; ++i) sum += __half2float(a[row * k + i]) * __half2float(b[i * n + column]);
    out[row * n + column] = sum;
  }
}
