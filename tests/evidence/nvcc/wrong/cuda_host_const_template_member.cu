// SPDX-License-Identifier: Apache-2.0
// A static constexpr array in a class template, indexed at run time.
template <class T>
struct Table {
  static constexpr T kValues[2] = {1, 2};
};
__global__ void kernel(float* out) { out[threadIdx.x] = Table<float>::kValues[threadIdx.x & 1]; }
