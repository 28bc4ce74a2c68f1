// SPDX-License-Identifier: Apache-2.0
// Arguments that deduce two types for one template parameter.
template <typename T>
__device__ T larger(T a, T b) {
  return a > b ? a : b;
}
__global__ void kernel(float* out) { out[threadIdx.x] = larger(1.0f, 2); }
