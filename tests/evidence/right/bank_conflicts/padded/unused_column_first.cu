// SPDX-License-Identifier: Apache-2.0
// The padding column is the first one, and elements move as unsigned bit patterns.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ unsigned bits[32][1 + 32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.y * 32 + y;
    if (row < height && column < width)
      bits[y][1 + threadIdx.x] = __float_as_uint(in[row * width + column]);
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int row = blockIdx.x * 32 + y;
    if (row < width && out_column < height)
      out[row * height + out_column] = __uint_as_float(bits[threadIdx.x][1 + y]);
  }
}
