// SPDX-License-Identifier: Apache-2.0
// Eight lanes move a row of the tile as float4, one load a thread, where rows begin at multiples of
// 16 bytes; elsewhere single words.
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
