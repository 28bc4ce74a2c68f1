// SPDX-License-Identifier: Apache-2.0
// override without a matching function in the base class.
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
