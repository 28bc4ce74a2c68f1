// SPDX-License-Identifier: Apache-2.0
// Adding structs without an operator +.
struct Vector {
  float x, y;
};
__global__ void kernel(Vector* out, const Vector* in) { out[threadIdx.x] = in[0] + in[1]; }
