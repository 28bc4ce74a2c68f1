// SPDX-License-Identifier: Apache-2.0
// tries: Copies down columns and adds many coalesced loads whose values it discards. They improve
//   the mean number of bytes used per sector.
// stopped by: The gate on the mean requires guards that limit the number of sectors to what the
//   work needs (labs/coalescing/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 0 points
__device__ void naive(float* out, const float* in, int width, int height) {
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
__global__ void copy(float* out, const float* in, int width, int height) {
  naive(out, in, width, height);
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  if (row >= height || column >= width) return;
  const volatile float* same = in + row * width + column;
  for (int i = 0; i < 200; ++i) (void)*same;
}
