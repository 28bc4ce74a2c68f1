// SPDX-License-Identifier: Apache-2.0
// __shfl_down without _sync, from old toolkits.
__global__ void kernel(int* out) {
  int x = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) x += __shfl_down(x, step);
  out[threadIdx.x] = x;
}
