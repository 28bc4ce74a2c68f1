// SPDX-License-Identifier: Apache-2.0
// OpenMP and other pragmas inside and outside host functions.
// left out: cpu_saxpy, time_now
#include <omp.h>
#pragma once_upon_a_time
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int k = 0; k < 4; ++k)
    if (i + k * 64 < n) y[i + k * 64] += a * x[i + k * 64];
}
void cpu_saxpy(int n, float a, const float* x, float* y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) y[i] = 0;
}
#pragma pack(push, 4)
struct Packed {
  char c;
  double d;
};
#pragma pack(pop)
double time_now() {
#pragma pack(push, 1)
  struct Local { char c; int i; };
#pragma pack(pop)
  return sizeof(Local);
}
__global__ void sizes(int* x) { x[0] = sizeof(Packed); }
