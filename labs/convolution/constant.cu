// SPDX-License-Identifier: Apache-2.0
// Exercise convolution/constant: a blur of an image with 5 x 5 weights.
//
// Input: `in`, `height` rows of `width` floats, odd multiples of 1/8; both sides from 1 up.
// Output: each point of `out` is the sum of the 25 points around it times their weights, over 256:
//   weights[(dy + 2) * 5 + dx + 2] belongs to the point at (x + dx, y + dy). Points outside of the
//   image count as 0. No operation rounds, so the results are compared bit by bit.
// Launch: ceil(width / 32) x ceil(height / 32) blocks of 32 x 8 threads, no dynamic shared memory.
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters, and the weights in constant
// memory.
//
// The kernel below is right, but its lanes walk down columns, each begins with another weight, and
// its volatile loads bypass L1. Move fewer sectors, and read the same constant in all lanes. Then
// run
//   ./warpgrade grade convolution/constant

__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const volatile float* points = in;
  for (int j = 0; j < 4; ++j) {
    const int x = blockIdx.x * 32 + thread / 32 + 8 * j, y = blockIdx.y * 32 + thread % 32;
    if (x >= width || y >= height) continue;
    const bool is_inside = x >= 2 && y >= 2 && x < width - 2 && y < height - 2;
    float sum = 0;
    for (int i = 0; i < 25; ++i) {
      const int k = (i + threadIdx.x) % 25, row = y + k / 5 - 2, column = x + k % 5 - 2;
      if (is_inside || (row >= 0 && row < height && column >= 0 && column < width)) {
        sum += weights[k] * points[1LL * row * width + column];
      }
    }
    out[1LL * y * width + x] = sum / 256;
  }
}
