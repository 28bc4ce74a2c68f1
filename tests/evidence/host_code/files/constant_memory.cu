// SPDX-License-Identifier: Apache-2.0
// Constant and device variables that host code copies to and from.
// left out: upload, read_back
#include <cstdio>
#define RADIUS 4
__constant__ float coefficients[2 * RADIUS + 1];
__device__ unsigned long long visits;
__managed__ int flag = 1;
__global__ void stencil(float* out, const float* in, int n) {
  __shared__ float tile[128 + 2 * RADIUS];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
  tile[l] = g < n ? in[g] : 0;
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
    tile[l + 128] = g + 128 < n ? in[g + 128] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -RADIUS; k <= RADIUS; ++k) sum += coefficients[k + RADIUS] * tile[l + k];
  if (g < n) out[g] = sum * flag;
  atomicAdd(&visits, 1ull);
}
void upload(const float* from) { cudaMemcpyToSymbol(coefficients, from, sizeof(coefficients)); }
unsigned long long read_back() {
  unsigned long long value;
  cudaMemcpyFromSymbol(&value, visits, sizeof value);
  return value;
}
