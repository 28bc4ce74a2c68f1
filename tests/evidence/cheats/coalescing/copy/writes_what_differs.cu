// SPDX-License-Identifier: Apache-2.0
// tries: Reads the output and writes only elements that are not right yet, so that later launches
//   write nothing.
// stopped by: Each launch starts with poisoned outputs, so it writes everything, and the reads make
//   it slower (grader/cases/sized_case.cpp).
// verdict: fail diagnostic uninitialized_read, 0 points
// verdict on a GPU: any, 10 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) {
      const int i = row * width + column;
      const float wanted = in[i];
      if (out[i] != wanted) out[i] = wanted;
    }
  }
}
