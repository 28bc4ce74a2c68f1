// SPDX-License-Identifier: Apache-2.0
// A lambda with auto parameters in a kernel, next to host code.
// left out: helper, main
#include <vector>
std::vector<int> helper(int n) { return std::vector<int>(n); }
__global__ void map(float* x, int n) {
  auto each = [&](auto f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = f(x[i]);
  };
  each([](float v) { return v + 1; });
  each([](auto v) { return v * 3; });
}
int main() { map<<<1, 32>>>(nullptr, helper(3).size()); }
