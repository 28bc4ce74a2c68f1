// SPDX-License-Identifier: Apache-2.0
// tries: All blocks but the last write a list of their tiles; the last one, which a timer that
//   stops early would miss, does the work of all.
// stopped by: A launch ends with its last block, and the model and the events see it
//   (common/timing/model.cpp, common/gpu/session.cpp).
// verdict: fail performance, 8 points
__global__ void copy(float* out, const float* in, int width, int height) {
  if (blockIdx.x != gridDim.x - 1 || blockIdx.y != gridDim.y - 1) return;
  for (int row = threadIdx.y; row < height; row += 8) {
    for (int column = threadIdx.x; column < width; column += 32) {
      out[row * width + column] = in[row * width + column];
    }
  }
}
