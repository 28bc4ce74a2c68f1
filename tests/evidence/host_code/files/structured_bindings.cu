// SPDX-License-Identifier: Apache-2.0
// Structured bindings, tuples, optional and initialisers in conditions on the host.
// left out: best_shape, main
#include <iostream>
#include <map>
#include <optional>
#include <tuple>
std::tuple<int, int> best_shape(int n) { return {n / 32, 32}; }
__global__ void idle(int* x) { if (x) *x = 0; }
int main() {
  auto [blocks, threads] = best_shape(1024);
  std::map<int, std::optional<int>> cache{{1, 2}, {3, std::nullopt}};
  if (auto found = cache.find(blocks); found != cache.end() && found->second) std::cout << *found->second;
  for (const auto& [key, value] : cache) std::cout << key << value.value_or(0);
  idle<<<blocks, threads>>>(nullptr);
}
