// SPDX-License-Identifier: Apache-2.0
// A __device__ lambda inside a kernel.
template <typename F>
__device__ int apply(F f, int x) {
  return f(x);
}
__global__ void kernel(int* out) {
  out[threadIdx.x] = apply([] __device__(int x) { return x + 1; }, threadIdx.x);
}
