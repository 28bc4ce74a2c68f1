// SPDX-License-Identifier: Apache-2.0
// tries: Block 0 sets a flag, and other blocks work only if they see it. On the simulator, blocks
//   run in order by default.
// stopped by: Small cases also run in other orders, with checks for races in global memory
//   (grader/cases/submission.cpp, common/check/global_race.cpp).
// verdict: fail diagnostic race, 0 points
__device__ int flag;
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x + blockIdx.y == 0) flag = 1;
  if (blockIdx.x + blockIdx.y != 0 && *(volatile int*)&flag == 0) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
