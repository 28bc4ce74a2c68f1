// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=13
// says: The offset in bytes is an int: past 2 GB, which is 536,870,912 floats, the product
//   overflows and the pointer is before the matrix.
// never: missing guard
// Computes addresses in bytes, as one does with a pitch.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int pitch = width * sizeof(float);
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column >= width || row + j >= height) continue;
    const int offset = (row + j) * pitch + column * 4;
    *(float*)((char*)out + offset) = *(const float*)((const char*)in + offset);
  }
}
