// SPDX-License-Identifier: Apache-2.0
// tries: Transposes by scattered atomics, which no gate on stores counts, and writes only the first
//   output row by plain stores.
// stopped by: The gate on the mean requires guards that limit the number of sectors to what the
//   work needs (labs/coalescing/grader.toml, grader/grade/judge/findings.cpp).
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
