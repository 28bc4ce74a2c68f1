// SPDX-License-Identifier: Apache-2.0
// Byte addresses with a pitch, as for cudaMallocPitch. Top-level const and a typedef in the
// parameters do not change the signature.
typedef float real;

__global__ void copy(real* const out, real const* const in, const int width, const int height);

__global__ void copy(real* const out, real const* const in, const int width, const int height) {
  const size_t pitch = width * sizeof(real);
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  for (unsigned i = 0; i != 4; ++i) {
    const unsigned y = blockIdx.y * 32 + threadIdx.y + i * 8;
    if (x >= (unsigned)width || y >= (unsigned)height) continue;
    const real* from = (const real*)((const char*)in + y * pitch) + x;
    *((real*)((char*)out + y * pitch) + x) = *from;
  }
}
