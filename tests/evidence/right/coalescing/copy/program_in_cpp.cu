// SPDX-License-Identifier: Apache-2.0
// A whole program with C++ host headers, std::vector and a timer.
#include <chrono>
#include <iostream>
#include <vector>

__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < min(height, int(blockIdx.y * 32 + 32));
       row += 8)
    if (column < width) out[row * width + column] = in[row * width + column];
}

int main() {
  const int n = 512;
  std::vector<float> host(n * n, 1.0f);
  float *a = nullptr, *b = nullptr;
  cudaMalloc(&a, host.size() * sizeof(float));
  cudaMalloc(&b, host.size() * sizeof(float));
  cudaMemcpy(a, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  const auto start = std::chrono::steady_clock::now();
  copy<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(b, a, n, n);
  cudaDeviceSynchronize();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::cout << "took " << took.count() << " s" << std::endl;
}
