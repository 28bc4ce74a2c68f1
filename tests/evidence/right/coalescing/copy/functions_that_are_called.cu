// SPDX-License-Identifier: Apache-2.0
// __noinline__ functions compute the index and copy an element.
struct Element {
  int row, column;
};

__device__ __noinline__ Element element(int k) {
  return {int(blockIdx.y * 32 + threadIdx.y + 8 * k), int(blockIdx.x * 32 + threadIdx.x)};
}

__device__ __noinline__ void move(float* out, const float* in, int i) { out[i] = in[i]; }

__global__ void copy(float* out, const float* in, int width, int height) {
  for (int k = 0; k < 4; ++k) {
    const auto [row, column] = element(k);
    if (row < height && column < width) move(out, in, row * width + column);
  }
}
