// SPDX-License-Identifier: Apache-2.0
// override of a function that the base does not have.
struct Shape {
  __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  __device__ float area() override { return 1; }
};
__global__ void kernel(float* out) {
  Square s;
  out[threadIdx.x] = s.area();
}
