// SPDX-License-Identifier: Apache-2.0
// If rows are aligned to 16 bytes, eight lanes copy a row of the tile, one float4 each. Otherwise
// all threads copy single words.
__global__ void copy(float* out, const float* in, int width, int height) {
  if (width % 4 == 0) {
    const int thread = threadIdx.x + threadIdx.y * 32;
    const int column = blockIdx.x * 32 + thread % 8 * 4;
    const int row = blockIdx.y * 32 + thread / 8;
    if (column >= width || row >= height) return;
    const int i = (row * width + column) / 4;
    ((float4*)out)[i] = ((const float4*)in)[i];
    return;
  }
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 4; ++j) {
    const int row = blockIdx.y * 32 + threadIdx.y + 8 * j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
