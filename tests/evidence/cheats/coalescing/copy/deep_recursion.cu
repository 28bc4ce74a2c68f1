// SPDX-License-Identifier: Apache-2.0
// tries: Recurses a million times.
// stopped by: The stack of a thread is limited (common/sim/exec/control.cpp, common/gpu/platform.cpp).
// verdict: fail diagnostic, 0 points
__device__ __noinline__ int deep(int n, volatile int* at) {
  volatile int here[16] = {n};
  return n == 0 ? *at : deep(n - 1, here) + here[n % 16];
}
__global__ void copy(float* out, const float* in, int width, int height) {
  volatile int start = 1;
  if (deep(1000000, &start) == 7) return;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
