// SPDX-License-Identifier: Apache-2.0
// An object of an abstract class.
struct Shape {
  __device__ virtual float area() const = 0;
};
__global__ void kernel(float* out) {
  Shape s;
  out[threadIdx.x] = s.area();
}
