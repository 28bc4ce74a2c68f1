// SPDX-License-Identifier: Apache-2.0
// Forward declarations of host functions and of the kernel; main() comes first.
// left out: init, check, main, init, check
#include <stdio.h>
#include <stdlib.h>

void init(float *x, int n);
int check(const float *x, int n);
__global__ void saxpy(int n, float a, const float *x, float *y);

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  float *h = (float *)malloc(n * sizeof(float)), *x, *y;
  init(h, n);
  cudaMalloc((void **)&x, n * sizeof(float));
  cudaMalloc((void **)&y, n * sizeof(float));
  saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, x, y);
  return check(h, n);
}

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void init(float *x, int n) {
  for (int i = 0; i < n; ++i) x[i] = i;
}

int check(const float *x, int n) {
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] != i) ++wrong;
  }
  return wrong;
}
