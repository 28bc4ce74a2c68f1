// SPDX-License-Identifier: Apache-2.0
// Thrust headers at the top; host and device vectors in main().
// left out: main
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

#include <iostream>

__global__ void square(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * x[i];
}

int main() {
  thrust::host_vector<float> h(1024, 3.0f);
  thrust::device_vector<float> d = h;
  square<<<4, 256>>>(thrust::raw_pointer_cast(d.data()), d.size());
  thrust::sort(d.begin(), d.end());
  std::cout << thrust::reduce(d.begin(), d.end()) << std::endl;
}
