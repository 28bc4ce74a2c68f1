// SPDX-License-Identifier: Apache-2.0
// A kernel, followed by main() that launches it.
// left out: main
#include <cstdio>

__global__ void add(float* out, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20;
  float *a, *b, *c;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&b, n * sizeof(float));
  cudaMallocManaged(&c, n * sizeof(float));
  for (int i = 0; i < n; i++) {
    a[i] = 1.0f;
    b[i] = 2.0f;
  }
  add<<<(n + 255) / 256, 256>>>(c, a, b, n);
  cudaDeviceSynchronize();
  printf("%f\n", c[0]);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return 0;
}
