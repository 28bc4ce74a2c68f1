// SPDX-License-Identifier: Apache-2.0
// A shared object with a nontrivial constructor.
struct Counter {
  int value;
  __device__ Counter() : value(3) {}
};
__global__ void kernel(int* out) {
  __shared__ Counter counter;
  out[threadIdx.x] = counter.value;
}
