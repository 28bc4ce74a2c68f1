// SPDX-License-Identifier: Apache-2.0
// constexpr functions without __device__, used in kernel constants and in host code.
// left out: main
#include <cstdio>
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <typename T>
constexpr T power_of_two(T n) {
  return n <= 1 ? T(1) : 2 * power_of_two((n + 1) / 2);
}
constexpr int kWidth = ceil_div(100, 32) * 32;
constexpr int kSteps = ceil_div(kWidth, 32);
static constexpr unsigned kPadded = power_of_two(100u);
__global__ void pad(float* out, const float* in) {
  __shared__ float row[kWidth + 1];
  for (int s = 0; s < kSteps; ++s) row[s * 32 + threadIdx.x] = in[s * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[(threadIdx.x * 5) % kPadded];
}
int main() {
  pad<<<ceil_div(1000, 32), 32>>>(nullptr, nullptr);
  printf("%d\n", power_of_two(77));
}
