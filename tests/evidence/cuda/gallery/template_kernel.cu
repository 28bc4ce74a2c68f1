// SPDX-License-Identifier: Apache-2.0
// A template instance and a lambda passed to a device function.
// launch: grid 4 block 256

template <typename T, int kCount, typename F>
__device__ T fold(const T* values, F f) {
  T result = values[0];
#pragma unroll
  for (int i = 1; i < kCount; ++i) result = f(result, values[i]);
  return result;
}
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fold<unsigned, 7>(in + i, [=](unsigned a, unsigned b) { return a * 5 + (b ^ i); });
}
