// SPDX-License-Identifier: Apache-2.0
// tries: Transposes with scattered atomics, which no gate on stores counts, and makes a few
//   coalesced stores beside them.
// stopped by: A gate on the mean counts only where the number of sectors is that of the work
//   (guards of labs/coalescing/grader.toml, grader/grade/judge/rubric.cpp).
// verdict: fail mechanism, 5 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * 32 + threadIdx.y;
  for (int row = first; row < blockIdx.y * 32 + 32; row += 8) {
    if (column >= width || row >= height) continue;
    if (blockIdx.x == 0 && column == 0) {
      out[column * height + row] = in[row * width + column];
    } else {
      atomicExch(out + column * height + row, in[row * width + column]);
    }
  }
}
