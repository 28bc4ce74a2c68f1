// SPDX-License-Identifier: Apache-2.0
// Transposes the block's tiles from the last to the first, with pointers.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
#pragma unroll 1
  for (int f = Factor; f-- > 0;) {
    const int x0 = (blockIdx.x * Factor + f) * 32, y0 = blockIdx.y * 32;
    if (x0 >= width) continue;  // uniform across the block
    const float* p = in + (y0 + threadIdx.y) * width + x0 + threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8, p += 8 * width)
      if (y0 + y < height && x0 + threadIdx.x < width) tile[y][threadIdx.x] = *p;
    __syncthreads();
    float* q = out + (x0 + threadIdx.y) * height + y0 + threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8, q += 8 * height)
      if (x0 + y < width && y0 + threadIdx.x < height) *q = tile[threadIdx.x][y];
    __syncthreads();
  }
}
