// SPDX-License-Identifier: Apache-2.0
// dynamic_cast in a kernel.
struct Shape {
  __device__ virtual int kind() const { return 1; }
};
struct Square : Shape {
  __device__ int kind() const override { return 2; }
};
__global__ void kernel(int* out) {
  Square s;
  Shape* p = &s;
  out[threadIdx.x] = dynamic_cast<Square*>(p) != nullptr;
}
