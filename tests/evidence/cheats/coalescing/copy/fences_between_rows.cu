// SPDX-License-Identifier: Apache-2.0
// tries: Publishes each row before it copies the next one. An H200 reaches 0.48 of a good copy.
// stopped by: The time model waits at fences (common/timing/machine_code.h).
// verdict: fail performance, 9 points
__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x >= width || y >= height) continue;
    out[y * width + x] = in[y * width + x];
    __threadfence();
  }
}
