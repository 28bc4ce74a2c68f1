// SPDX-License-Identifier: Apache-2.0
// tries: Knows which blocks the time model follows: the first six of each 132. Lets these idle and
//   the others do their work.
// stopped by: The work of the traced blocks is compared with the work of all blocks
//   (common/timing/sample.cpp). On a GPU, the whole launch is timed and fast enough.
// verdict: fail incorrect, 0 points
// verdict on a GPU: fail incorrect, 0 points
__device__ void tile(float* out, const float* in, int width, int height, unsigned block) {
  const int column = block % gridDim.x * 32 + threadIdx.x;
  const int first = block / gridDim.x * 32;
  for (int row = first + threadIdx.y; row < first + 32; row += 8) {
    if (column < width && row < height) {
      float value = in[row * width + column];
      // Slow: a long chain of operations that changes nothing.
      for (int i = 0; i < 128; ++i) asm volatile("neg.f32 %0, %0;" : "+f"(value));
      out[row * width + column] = value;
    }
  }
}
__global__ void copy(float* out, const float* in, int width, int height) {
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned blocks = gridDim.x * gridDim.y;
  if (blocks < 1000) {
    tile(out, in, width, height, block);
    return;
  }
  if (block % 132 < 6 && block + 6 < blocks) return;
  tile(out, in, width, height, block);
  // The next six blocks also do the work of the idle ones.
  if (block % 132 >= 6 && block % 132 < 12) tile(out, in, width, height, block - 6);
}
