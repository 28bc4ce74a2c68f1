// SPDX-License-Identifier: Apache-2.0
// tries: Takes pieces of the heap, fills them and gives them back, without end: each has new
//   addresses.
// stopped by: A limit on the work of a case, in which a piece counts by its addresses
//   (common/sim/work.h, grader/grade/plan/work_limits.cpp).
// verdict: fail diagnostic runaway, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  while (width > 0) {
    char* piece = (char*)malloc(30000);
    for (int i = 0; piece && i < 30000; ++i) piece[i] = i;
    free(piece);
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
