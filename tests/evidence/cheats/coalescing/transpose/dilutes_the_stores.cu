// SPDX-License-Identifier: Apache-2.0
// tries: Transposes by scattered stores, then stores the same values 200 times along rows. These
//   stores improve the mean number of bytes per sector.
// stopped by: The gate on the mean requires guards that limit the number of sectors to what the
//   work needs (labs/coalescing/grader.toml, grader/grade/judge/findings.cpp).
// verdict: fail mechanism, 0 points
__global__ void transpose(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * 32 + threadIdx.y;
  for (int row = first; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[column * height + row] = in[row * width + column];
  }
  // Each block stores values of its own output tile again, along rows. It loads them with a stride.
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  if (out_row >= width || out_column >= height) return;
  volatile float* same = out + out_row * height + out_column;
  const float value = in[out_column * width + out_row];
  for (int i = 0; i < 200; ++i) *same = value;
}
