// SPDX-License-Identifier: Apache-2.0
// tries: Declares a __device__ array of a terabyte.
// stopped by: Variables may have 1 GiB. A larger one is an error of the submission, not of the tool
//   (common/sim/memory/address_space.cpp, grader/grade/judge/findings.cpp).
// verdict: fail compile, 0 points
// verdict on a GPU: any, 0 points
__device__ char huge[1ull << 40];
__global__ void copy(float* out, const float* in, int width, int height) {
  huge[blockIdx.x] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
