// SPDX-License-Identifier: Apache-2.0
// Halves in kernels, and a conversion loop on the host.
// left out: to_half, main
#include <cuda_fp16.h>
#include <vector>
__global__ void haxpy(int n, half a, const half* x, half* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}
static std::vector<half> to_half(const std::vector<float>& in) {
  std::vector<half> out;
  for (float v : in) out.push_back(__float2half(v));
  return out;
}
int main() { haxpy<<<1, 1>>>(1, __float2half(1.0f), nullptr, nullptr); return (int)to_half({}).size(); }
