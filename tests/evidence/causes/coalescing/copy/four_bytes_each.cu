// SPDX-License-Identifier: Apache-2.0
// cause: narrow_accesses|partial_sectors line=13
// says: A thread copies its float byte by byte: each load moves a whole sector for 8 of its 32
//   bytes. Copy floats.
// never: threadIdx.x choose the column
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int r = threadIdx.y; r < 32; r += 8) {
    const int row = blockIdx.y * 32 + r;
    if (column >= width || row >= height) return;
    const volatile unsigned char* from = (const unsigned char*)&in[row * width + column];
    volatile unsigned char* to = (unsigned char*)&out[row * width + column];
    for (int b = 0; b < 4; ++b) to[b] = from[b];
  }
}
