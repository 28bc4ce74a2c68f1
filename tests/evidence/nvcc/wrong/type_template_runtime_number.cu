// SPDX-License-Identifier: Apache-2.0
// A run-time value as a template argument.
template <int N>
__device__ int times(int x) {
  return N * x;
}
__global__ void kernel(int* out, int n) { out[threadIdx.x] = times<n>(3); }
