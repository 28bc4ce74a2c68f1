// SPDX-License-Identifier: Apache-2.0
// Mandelbrot set in float.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned*) {
  const int px = blockIdx.x * 8 + threadIdx.x;
  const int py = blockIdx.y * 8 + threadIdx.y;
  const float cx = -2.0F + static_cast<float>(px) * (3.0F / 32);
  const float cy = -1.5F + static_cast<float>(py) * (3.0F / 32);
  float x = 0;
  float y = 0;
  unsigned steps = 0;
  while (steps < 200 && x * x + y * y < 4.0F) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++steps;
  }
  out[py * 32 + px] = steps ^ __float_as_uint(x);
}
