// SPDX-License-Identifier: Apache-2.0
// A type instead of a number as a template argument.
template <int N>
__device__ int times(int x) {
  return N * x;
}
__global__ void kernel(int* out) { out[threadIdx.x] = times<float>(3); }
