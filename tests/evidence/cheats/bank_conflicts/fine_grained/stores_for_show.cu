// SPDX-License-Identifier: Apache-2.0
// tries: Transposes the tiles by scattered atomics and makes as many useless stores along rows.
// stopped by: The points for stores and conflicts require the guards on global atomics
//   (labs/bank_conflicts/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 3 points
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) out[(y + j) * width + x + threadIdx.x] = 0;
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8)
    atomicExch(out + (y + threadIdx.x) * width + x + j, in[(y + j) * width + x + threadIdx.x]);
}
