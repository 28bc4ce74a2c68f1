// SPDX-License-Identifier: Apache-2.0
// tries: Has a second kernel of the name in what a reader of the text takes for host code, and the
//   slow one outside of it, so that one is left out and the other graded.
// stopped by: The compiler says what host code is, and refuses two kernels of a name
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
