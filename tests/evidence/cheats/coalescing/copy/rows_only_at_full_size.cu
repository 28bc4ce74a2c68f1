// SPDX-License-Identifier: Apache-2.0
// tries: Skips one of eight rows, but only at the size that is timed, where a sample of blocks is
//   executed.
// stopped by: A sample must write all elements of its blocks, or all blocks run
//   (grader/cases/sampled_outputs.cpp).
// verdict: fail incorrect, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (width > 4096 && height > 4096 && threadIdx.y == 5) continue;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}
