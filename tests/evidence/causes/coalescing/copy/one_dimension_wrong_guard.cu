// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard|unwritten line=8
// says: The last row is not inside: y < s.h - 1 must be y < s.h.
struct Size {
  int w, h;
};

__device__ bool is_inside(int x, int y, Size s) { return x < s.w && y < s.h - 1; } 

__global__ void copy(float* dst, const float* src, int w, int h) {
  const Size size{w, h};
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    const int y = blockIdx.y * 32 + threadIdx.y + 8 * k;
    if (is_inside(x, y, size)) dst[y * w + x] = src[y * w + x];
  }
}
