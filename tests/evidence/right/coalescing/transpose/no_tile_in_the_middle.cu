// SPDX-License-Identifier: Apache-2.0
// Full tiles skip all bounds checks; a second instance of the template handles the edges.
template <bool Whole>
__device__ void turn(float* out, const float* in, int width, int height, float (*tile)[33]) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (Whole || (x < width && y + j < height))
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    if (Whole || (tx < height && ty + j < width))
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const bool whole = (blockIdx.x + 1) * 32 <= width && (blockIdx.y + 1) * 32 <= height;
  if (whole)
    turn<true>(out, in, width, height, tile);
  else
    turn<false>(out, in, width, height, tile);
}
