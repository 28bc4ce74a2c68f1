// SPDX-License-Identifier: Apache-2.0
// Lambdas in host code, with braces and default arguments.
// left out: twice, main
#include <functional>
#include <vector>
__global__ void put(int* x, int v) { x[threadIdx.x] = v; }
auto twice = [](int x) { return 2 * x; };
int main() {
  auto launch = [&](int* p, auto... values) { (put<<<1, 32>>>(p, values), ...); };
  std::function<void(int)> f = [=](int v = 3) mutable { if (v > 0) { launch(nullptr, v, v + 1); } };
  f(twice(2));
  return [] { return 0; }();
}
