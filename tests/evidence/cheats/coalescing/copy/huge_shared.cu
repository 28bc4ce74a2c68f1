// SPDX-License-Identifier: Apache-2.0
// tries: Declares more shared memory than any device has.
// stopped by: Static shared memory is limited to 48 KB everywhere (common/compile/compiler.cpp).
// verdict: fail compile, 0 points
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ volatile float tile[1 << 20];
  tile[threadIdx.x] = 1;
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
