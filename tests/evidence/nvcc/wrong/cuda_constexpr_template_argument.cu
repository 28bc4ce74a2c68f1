// SPDX-License-Identifier: Apache-2.0
// A template argument that calls a constexpr host function.
constexpr int twice(int n) { return 2 * n; }
template <int N>
__device__ int shifted(int x) {
  return x << N;
}
__global__ void kernel(int* out) { out[threadIdx.x] = shifted<twice(2)>(threadIdx.x); }
