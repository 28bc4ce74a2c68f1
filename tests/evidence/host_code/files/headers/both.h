// SPDX-License-Identifier: Apache-2.0
// Device and host functions for own_header_of_both_sides.cu.
#pragma once
#include <chrono>
#include <cstdio>
#include <iostream>

__device__ inline int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__host__ __device__ inline float amplify(float x) { return x > 0 ? 1.5f * x : 0.5f * x; }

inline void check(cudaError_t error) {
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

inline void show(double value) { std::cout << value << '\n'; }

template <typename... T>
void print_all(const T&... values) {
  (std::cout << ... << values);
}
