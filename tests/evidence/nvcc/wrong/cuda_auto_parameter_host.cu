// SPDX-License-Identifier: Apache-2.0
// An undefined name in a kernel template.
template <typename T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value + undefined_offset;
}
template __global__ void fill<int>(int*, int);
