// SPDX-License-Identifier: Apache-2.0
// tries: All blocks but the last exit at once. The last one does all the work, which a timer that
//   stops early would miss.
// stopped by: A launch ends with its last block, both for the time model and for GPU events
//   (common/timing/model.cpp, common/gpu/session.cpp).
// verdict: error tool, 0 points
// verdict on a GPU: fail performance, 8 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x != gridDim.x - 1 || blockIdx.y != gridDim.y - 1) return;
  for (int row = threadIdx.y; row < height; row += 8) {
    for (int column = threadIdx.x; column < width; column += 32) {
      out[row * width + column] = in[row * width + column];
    }
  }
}
