// SPDX-License-Identifier: Apache-2.0
// std::vector in parameters and results, std::chrono, range-based loops.
// left out: make_input, time_it, main
#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <vector>

__global__ void scale(float* data, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= factor;
}

std::vector<float> make_input(std::size_t n) {
  std::mt19937 generator(42);
  std::uniform_real_distribution<float> distribution(0.0f, 1.0f);
  std::vector<float> values(n);
  std::generate(values.begin(), values.end(), [&] { return distribution(generator); });
  return values;
}

template <typename Function>
double time_it(Function&& function) {
  const auto begin = std::chrono::high_resolution_clock::now();
  function();
  cudaDeviceSynchronize();
  const std::chrono::duration<double, std::milli> took =
      std::chrono::high_resolution_clock::now() - begin;
  return took.count();
}

int main() {
  auto host = make_input(1 << 16);
  float* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(float));
  cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
  std::cout << time_it([&] { scale<<<64, 256>>>(device, 2.0f, host.size()); }) << " ms\n";
  for (float& value : host) value = 0;
}
