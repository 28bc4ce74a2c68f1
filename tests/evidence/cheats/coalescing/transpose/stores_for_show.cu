// SPDX-License-Identifier: Apache-2.0
// tries: Transposes by scattered atomics and makes as many useless stores along rows.
// stopped by: The points for stores require the guards on global atomics
//   (labs/coalescing/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 4 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int oc = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int orow = blockIdx.x * 32 + j;
    if (oc < height && orow < width) out[orow * height + oc] = 0.0f;
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + j;
    if (column < width && row < height)
      atomicExch(out + column * height + row, in[row * width + column]);
  }
}
