// SPDX-License-Identifier: Apache-2.0
// <cub/cub.cuh> for a DeviceReduce call in a host function.
// left out: sum_all
#include <cub/cub.cuh>

__global__ void negate(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

cudaError_t sum_all(const int* in, int* out, int n) {
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
  cudaMalloc(&scratch, bytes);
  return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
}
