// SPDX-License-Identifier: Apache-2.0
// tries: Transposes with scattered stores and writes its first word again and again, a whole row
//   of lanes at a time.
// stopped by: A gate on the mean counts only where the number of sectors is that of the work
//   (guards of labs/coalescing/grader.toml, grader/grade/judge/rubric.cpp).
// verdict: fail mechanism, 0 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * 32 + threadIdx.y;
  for (int row = first; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[column * height + row] = in[row * width + column];
  }
  // The same values once more, in order, by one block alone that reads them with a stride.
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  if (out_row >= width || out_column >= height) return;
  volatile float* same = out + out_row * height + out_column;
  const float value = in[out_column * width + out_row];
  for (int i = 0; i < 200; ++i) *same = value;
}
