// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=13
// says: The byte offset of a point is computed in 32 bits and wraps beyond 4 GiB: planes of more than 2^30 points need 64-bit offsets.
__device__ __forceinline__ float peek(const float* base, unsigned bytes) {
  return *reinterpret_cast<const float*>(reinterpret_cast<const char*>(base) + bytes);
}

__global__ void heat(float* out, const float* in, int width, int height) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;

  const unsigned pitch = width * sizeof(float);
  const unsigned at = y * pitch + x * 4;
  float result = peek(in, at);
  if (x > 0 && y > 0 && x + 1 < width && y + 1 < height) {
    const float sides = peek(in, at - 4) + peek(in, at + 4);
    const float ends = peek(in, at - pitch) + peek(in, at + pitch);
    result = 0.2f * (result + sides + ends);
  }
  *reinterpret_cast<float*>(reinterpret_cast<char*>(out) + at) = result;
}
