// SPDX-License-Identifier: Apache-2.0
// An array of objects without a default constructor.
struct Cell {
  int value;
  __device__ explicit Cell(int v) : value(v) {}
};
__global__ void kernel(int* out) {
  Cell cells[2];
  out[threadIdx.x] = cells[0].value;
}
