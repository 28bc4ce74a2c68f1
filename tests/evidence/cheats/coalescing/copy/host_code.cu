// SPDX-License-Identifier: Apache-2.0
// tries: Adds a constructor and main() and hopes that the grader runs them.
// stopped by: Host functions are left out, and the grader never runs submitted code on the host
//   (common/compile/host_code.cpp). The rest is honest.
// verdict: pass, 10 points
// hides: RAN_HERE
#include <cstdio>
__attribute__((constructor)) static void early() { printf("RAN_HERE"); }
struct Early {
  Early() { printf("RAN_HERE"); }
} early_too;
int main() {
  printf("RAN_HERE");
  return 0;
}
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
