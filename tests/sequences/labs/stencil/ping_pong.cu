// SPDX-License-Identifier: Apache-2.0
// Exercise stencil/ping_pong: one step in time of a field of width x height whole numbers.
//
// Each element of `next` is half of the same element of `now` and an eighth of each of its four
// neighbours, each part rounded towards zero; outside of the field there are zeros. The kernel is
// launched once a step with blocks of 32 x 8 threads, and the two buffers change places after each.

__global__ void spread(int* next, const int* now, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) next[y * width + x] = now[y * width + x];
}
