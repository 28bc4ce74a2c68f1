// SPDX-License-Identifier: Apache-2.0
// Kernels and host functions in nested and inline namespaces.
// left out: launch, report, main
#include <iostream>
namespace lab {
namespace detail {
__device__ inline float mean(float a, float b) { return 0.5f * (a + b); }
}  // namespace detail
inline namespace v1 {
__global__ void smooth(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) out[i] = detail::mean(in[i], in[i + 1]);
}
void launch(float* out, const float* in, int n) { smooth<<<(n + 63) / 64, 64>>>(out, in, n); }
}  // namespace v1
}  // namespace lab
namespace lab::io {
void report(int n) { std::cout << n << '\n'; }
}
namespace l = lab;
using namespace std;
int main() {
  l::io::report(3);
  cout << "done" << endl;
}
