// SPDX-License-Identifier: Apache-2.0
// tries: Detects a GPU by clock64(). Copies along rows on the simulator, which counts sectors, and
//   down columns on a GPU.
// stopped by: On the simulator this kernel is right and earns full points. On a GPU, its speed is
//   measured (common/measure/gpu_bench.cpp).
// verdict: pass, 10 points
// verdict on a GPU: fail performance, 9 points
__device__ void honest(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
__device__ void naive(float* out, const float* in, int width, int height) {
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) {
      out[row * width + column + j] = in[row * width + column + j];
    }
  }
}
__global__ void copy(float* out, const float* in, int width, int height) {
  const long long start = clock64();
  const float first = *(const volatile float*)in;
  const bool is_card = clock64() - start + (first == 12345.0f) >= 100;
  const bool all = __syncthreads_or(is_card);
  if (all) {
    naive(out, in, width, height);
  } else {
    honest(out, in, width, height);
  }
}
