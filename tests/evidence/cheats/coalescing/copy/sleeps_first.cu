// SPDX-License-Identifier: Apache-2.0
// tries: Sleeps for 5 us before it copies. Sleeping warps issue nothing, so nothing is counted.
// stopped by: The time model sleeps, too (common/timing/machine_code.h).
// verdict: fail performance, 9 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  __nanosleep(4000 + x % 1000);
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < width && y < height) out[y * width + x] = in[y * width + x];
  }
}
