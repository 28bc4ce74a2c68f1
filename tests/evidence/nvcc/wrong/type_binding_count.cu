// SPDX-License-Identifier: Apache-2.0
// A structured binding with the wrong number of names.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out) {
  auto [x, y, z] = Pair{1, 2};
  out[threadIdx.x] = x + y + z;
}
