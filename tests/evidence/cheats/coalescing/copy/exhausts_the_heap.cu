// SPDX-License-Identifier: Apache-2.0
// tries: Allocates the whole heap and writes through the null pointer that it gets next.
// stopped by: The heap has 8 MiB, and null is outside every buffer (common/sim/memory/heap.cpp).
// verdict: fail diagnostic out_of_bounds, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  for (int i = 0; i < 100; ++i) {
    char* piece = (char*)malloc(1 << 20);
    piece[0] = 1;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
