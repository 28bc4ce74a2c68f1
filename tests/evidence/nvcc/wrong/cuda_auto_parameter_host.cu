// SPDX-License-Identifier: Apache-2.0
// A kernel template whose argument is missing.
template <typename T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value + undefined_offset;
}
template __global__ void fill<int>(int*, int);
