// SPDX-License-Identifier: Apache-2.0
// A shuffle of a struct.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out) {
  Pair p = {int(threadIdx.x), 2};
  p = __shfl_down_sync(0xffffffff, p, 1);
  out[threadIdx.x] = p.a;
}
