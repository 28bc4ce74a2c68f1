// SPDX-License-Identifier: Apache-2.0
// tries: Allocates, fills and frees heap memory in an endless loop; each piece has new
//   addresses.
// stopped by: The limit on the work of a case, which charges a piece for its addresses
//   (common/sim/micro_op.h, grader/grade/plan/target.cpp).
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
