// SPDX-License-Identifier: Apache-2.0
// The kernel of kernel_elsewhere.cu.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
