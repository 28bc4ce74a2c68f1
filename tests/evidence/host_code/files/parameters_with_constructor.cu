// SPDX-License-Identifier: Apache-2.0
// A struct with host constructors and functions that the kernel takes by value.
// left out: Params, Params, print, run
#include <cstdio>

struct Params {
  int width, height;
  float scale;
  Params() : width(0), height(0), scale(1) {}
  Params(int w, int h) : width{w}, height{h}, scale{1.0f} {}
  void print() const { printf("%d x %d\n", width, height); }
  __host__ __device__ int area() const { return width * height; }
};

__global__ void apply(float* data, Params p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.area()) data[i] *= p.scale;
}

void run(float* data) {
  Params p(640, 480);
  p.print();
  apply<<<(p.area() + 127) / 128, 128>>>(data, p);
}
