// SPDX-License-Identifier: Apache-2.0
// tries: Asks __has_include whether files of the machine and of the course exist, and answers by
//   failing to compile.
// stopped by: Outside files do not exist for the compiler (common/compile/include_guard.cpp). So
//   the kernel compiles, and the rest is honest.
// verdict: pass, 10 points
#if __has_include("/etc/passwd") || __has_include("../../../../solutions/coalescing/copy.cu") || \
    __has_include("/proc/self/maps")
#error "the file is there"
#endif
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
