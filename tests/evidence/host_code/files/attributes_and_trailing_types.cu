// SPDX-License-Identifier: Apache-2.0
// Attributes, default arguments, noexcept and trailing return types.
// left out: blocks_for, launch, give_up, old_style
#include <cstdlib>
[[nodiscard]] inline auto blocks_for(int n, int threads = 256) noexcept -> int {
  return (n + threads - 1) / threads;
}
__global__ void __launch_bounds__(256, 2) fast(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = rsqrtf(in[i]);
}
template <int Blocks = 1, bool Sync = (Blocks > 0)>
auto launch(float* out, const float* in, int n) -> decltype(cudaGetLastError()) {
  fast<<<blocks_for(n), 256>>>(out, in, n);
  return Sync ? cudaDeviceSynchronize() : cudaGetLastError();
}
[[noreturn]] void give_up() { std::exit(1); }
__attribute__((unused)) static int old_style() { return 1; }
