// SPDX-License-Identifier: Apache-2.0
// A semicolon is missing after a struct.
struct Point {
  float x, y;
}
__global__ void points(Point* out) {
  out[threadIdx.x] = {1, 2};
}
