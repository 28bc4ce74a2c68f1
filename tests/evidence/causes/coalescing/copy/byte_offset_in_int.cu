// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=14
// says: The offset in bytes does not fit in an int when the matrix has more than 2 GB; compute it in size_t.

#define ELEMENT(type, base, bytes) (*(type*)((base) + (bytes)))

__global__ void copy(float* out, const float* in, int width, int height) {
  const char* source = (const char*)in;
  char* target = (char*)out;
  const int column = 32 * blockIdx.x + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    const int row = 32 * blockIdx.y + 8 * k + threadIdx.y;
    if (row >= height || column >= width) continue;
    const int offset = (row * width + column) * sizeof(float);
    ELEMENT(float, target, offset) = ELEMENT(const float, source, offset);
  }
}
