// SPDX-License-Identifier: Apache-2.0
// Variadic templates and if constexpr, in host and device templates.
// left out: print_all, print_all, run, run
// instances: combine<int,2> combine<float,3>
#include <iostream>
template <typename T, int Mode>
__device__ T apply(T a, T b) {
  if constexpr (Mode == 2) {
    return a + b;
  } else {
    return a * b;
  }
}
template <typename... T>
__device__ auto sum(T... values) {
  return (values + ...);
}
template <typename T, int Mode>
__global__ void combine(T* x, T y) {
  x[threadIdx.x] = apply<T, Mode>(x[threadIdx.x], sum(y, y, T(1)));
}
void print_all() {}
template <typename First, typename... Rest>
void print_all(First&& first, Rest&&... rest) {
  std::cout << first << ' ';
  if constexpr (sizeof...(rest) > 0) print_all(std::forward<Rest>(rest)...);
}
template <class... Pairs>
void run(Pairs... pairs) {
  combine<int, 2><<<1, 32>>>((int*)nullptr, 1);
  combine<float, 3><<<1, 32>>>((float*)nullptr, 1.f);
  print_all(pairs...);
}
template void run<int>(int);
