// SPDX-License-Identifier: Apache-2.0
// tries: Turns the tiles with scattered atomics and stores as many words without use, by rows.
// stopped by: The points for stores and conflicts need the guards on atomics of global memory
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/rubric.cpp).
// verdict: fail mechanism, 3 points
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) out[(y + j) * width + x + threadIdx.x] = 0;
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8)
    atomicExch(out + (y + threadIdx.x) * width + x + j, in[(y + j) * width + x + threadIdx.x]);
}
