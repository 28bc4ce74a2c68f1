// SPDX-License-Identifier: Apache-2.0
// A struct passed instead of a number.
struct Pair {
  int a, b;
};
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) {
  Pair p = {1, 2};
  out[threadIdx.x] = twice(p);
}
