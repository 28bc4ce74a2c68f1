// SPDX-License-Identifier: Apache-2.0
// Clocks of a division or a root by its operands. One lane has the given ones, all others plain
// numbers.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 divisions.cu -o divisions && ./divisions > divisions.csv
#include <cmath>
#include <cstdio>

enum Operation { kQuotient, kReciprocal, kRoot };

template <typename T, Operation kOperation>
__device__ T apply(T a, T b) {
  return kOperation == kQuotient ? a / b : kOperation == kReciprocal ? 1 / a : sqrt(a);
}

constexpr int kTimes = 64;

template <typename T, Operation kOperation>
__global__ void chain(T* out, long long* clocks, T rare_a, T rare_b, T plain_a, T plain_b) {
  T a = threadIdx.x % 32 == 0 ? rare_a : plain_a;
  T b = threadIdx.x % 32 == 0 ? rare_b : plain_b;
  T sum = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < kTimes; ++i) {
    const T result = apply<T, kOperation>(a, b);
    sum += result;
    if (result == static_cast<T>(1234567)) a = b = sum;
  }
  const long long end = clock64();
  out[threadIdx.x] = sum;
  if (threadIdx.x == 0) *clocks = end - begin;
}

template <typename T, Operation kOperation>
double clocks_of(int warps, T a, T b) {
  static T* out;
  static long long* clocks;
  if (out == nullptr) {
    cudaMalloc(&out, 1 << 16);
    cudaMallocManaged(&clocks, sizeof *clocks);
  }
  for (int i = 0; i < 3; ++i) {
    chain<T, kOperation><<<1, 32 * warps>>>(out, clocks, a, b, T(1.5), T(3.7));
    cudaDeviceSynchronize();
  }
  return static_cast<double>(*clocks) / kTimes;
}

template <typename T, Operation kOperation>
void all(const char* name) {
  const bool is_float = sizeof(T) == 4;
  const T tiny = is_float ? 1e-40 : 1e-310;
  const T small = is_float ? 1e-36 : 1e-300;
  const T big = is_float ? 1e37 : 1e306;
  const T plain = 3.7;
  const T far = 1e20;
  const T all_of[][2] = {{1.5, plain},     {0, plain},        {1.5, 0},
                         {tiny, plain},    {1.5, tiny},       {INFINITY, plain},
                         {1.5, INFINITY},  {NAN, plain},      {small, plain},
                         {1.5, small},     {big, plain},      {1.5, big},
                         {small, big},     {big, small},      {small, small * 1.3},
                         {big, big / 1.3}, {T(1e-30), plain}, {T(1e-32), plain},
                         {T(1e34), plain}, {1 / far, far}};
  for (const auto& [a, b] : all_of) {
    printf("%s,%g,%g,%.0f,%.0f\n", name, double(a), double(b), clocks_of<T, kOperation>(1, a, b),
           clocks_of<T, kOperation>(16, a, b));
  }
}

int main() {
  printf("operation,a,b,clocks,clocks_of_16_warps\n");
  all<float, kQuotient>("div_f32");
  all<float, kRoot>("sqrt_f32");
  all<float, kReciprocal>("rcp_f32");
  all<double, kQuotient>("div_f64");
  all<double, kRoot>("sqrt_f64");
  all<double, kReciprocal>("rcp_f64");
}
