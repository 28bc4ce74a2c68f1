// SPDX-License-Identifier: Apache-2.0
// tries: Puts a kernel into what looks like host code, and a second one with the same name outside.
//   One should be left out and the other graded.
// stopped by: The compiler decides what is host code, and it refuses two kernels with one name
//   (common/compile/host_code.cpp).
// verdict: fail compile, 0 points
#define HOST __global__
HOST void copy(float* out, const float* in, int width, int height) {}
int main() {}
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
