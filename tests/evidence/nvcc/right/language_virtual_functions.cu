// SPDX-License-Identifier: Apache-2.0
// Virtual functions of objects constructed in the kernel.
// launch: --kernel areas --grid 1 --block 32 --arg out:f32:32
struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float a, b;
  __device__ Rectangle(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};
__global__ void areas(float* out) {
  const Square square(threadIdx.x);
  const Rectangle rectangle(2, threadIdx.x);
  const Shape* shape = &square;
  if (threadIdx.x % 3 == 1) shape = &rectangle;
  out[threadIdx.x] = shape->area();
}
