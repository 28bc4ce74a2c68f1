// SPDX-License-Identifier: Apache-2.0
// A host function template called from a kernel.
template <typename T>
T larger(T a, T b) {
  return a > b ? a : b;
}
__global__ void kernel(int* out) { out[threadIdx.x] = larger(int(threadIdx.x), 5); }
