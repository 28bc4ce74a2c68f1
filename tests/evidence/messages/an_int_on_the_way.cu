// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/copy
// says: every wrong value is the expected one without its fraction: does it pass through an int?
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) {
      const int value = in[row * width + column];
      out[row * width + column] = value;
    }
  }
}
