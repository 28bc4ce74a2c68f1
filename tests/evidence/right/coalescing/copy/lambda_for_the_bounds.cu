// SPDX-License-Identifier: Apache-2.0
// One lambda tests the bounds, another one computes the index.
__global__ void copy(float* out, const float* in, int width, int height) {
  const auto inside = [=](int row, int column) { return row < height && column < width; };
  const auto index = [width](int row, int column) { return row * width + column; };
  const int c = blockIdx.x * 32 + threadIdx.x;
  for (int r = blockIdx.y * 32 + threadIdx.y, k = 0; k < 4; ++k, r += 8) {
    if (inside(r, c)) out[index(r, c)] = in[index(r, c)];
  }
}
