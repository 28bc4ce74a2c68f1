// SPDX-License-Identifier: Apache-2.0
// A number bound to a reference.
__device__ void increment(int& x) { ++x; }
__global__ void kernel(int* out) {
  increment(3);
  out[threadIdx.x] = 1;
}
