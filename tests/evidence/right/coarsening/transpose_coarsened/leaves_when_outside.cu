// SPDX-License-Identifier: Apache-2.0
// The loop over tiles ends at the edge of the matrix, at the same tile for all threads of a block.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int last = min(int(blockIdx.x + 1) * Factor, (width + 31) / 32);
  const int y0 = blockIdx.y * 32;
  for (int t = blockIdx.x * Factor; t < last; ++t) {
    const int x = t * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
      if (x < width && y0 + j < height) tile[j][threadIdx.x] = in[(y0 + j) * width + x];
    __syncthreads();
    const int ox = y0 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += 8)
      if (ox < height && t * 32 + j < width) out[(t * 32 + j) * height + ox] = tile[threadIdx.x][j];
    __syncthreads();
  }
}
