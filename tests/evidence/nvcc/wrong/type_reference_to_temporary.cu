// SPDX-License-Identifier: Apache-2.0
// A literal bound to a non-const reference.
__device__ void increment(int& x) { ++x; }
__global__ void kernel(int* out) {
  increment(3);
  out[threadIdx.x] = 1;
}
