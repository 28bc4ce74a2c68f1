// SPDX-License-Identifier: Apache-2.0
// A member that a struct does not have.
struct Point {
  float x, y;
};
__global__ void kernel(float* out) {
  Point p = {1, 2};
  out[threadIdx.x] = p.z;
}
