// SPDX-License-Identifier: Apache-2.0
// A constructor without __device__.
struct Cell {
  int value;
  Cell(int v) : value(2 * v) {}
};
__global__ void kernel(int* out) {
  Cell c(threadIdx.x);
  out[threadIdx.x] = c.value;
}
