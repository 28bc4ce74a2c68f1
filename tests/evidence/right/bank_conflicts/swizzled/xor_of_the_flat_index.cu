// SPDX-License-Identifier: Apache-2.0
// Swizzles the flat index with its own upper bits.
__device__ __forceinline__ int swizzle(int i) { return i ^ (i >> 5); }

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[1024];
  const int t = threadIdx.y * 32 + threadIdx.x;
#pragma unroll
  for (int i = t; i < 1024; i += 256) {
    const int row = blockIdx.y * 32 + i / 32, column = blockIdx.x * 32 + i % 32;
    if (row < height && column < width) tile[swizzle(i)] = in[row * width + column];
  }
  __syncthreads();
#pragma unroll
  for (int i = t; i < 1024; i += 256) {
    const int row = blockIdx.x * 32 + i / 32, column = blockIdx.y * 32 + i % 32;
    if (row < width && column < height)
      out[row * height + column] = tile[swizzle(i % 32 * 32 + i / 32)];
  }
}
