// SPDX-License-Identifier: Apache-2.0
// An overloaded operator without __device__.
struct Vector {
  float x, y;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; }
__global__ void kernel(Vector* out, const Vector* in) { out[threadIdx.x] = in[0] + in[threadIdx.x]; }
