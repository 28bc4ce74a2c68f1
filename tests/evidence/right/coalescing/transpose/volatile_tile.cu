// SPDX-License-Identifier: Apache-2.0
// A volatile tile, which some programmers use as a guard against races.
__global__ void transpose(float* out, const float* in, int width, int height) {
  volatile __shared__ float tile[32][33];
  unsigned int xi = blockIdx.x * 32 + threadIdx.x, yi = blockIdx.y * 32 + threadIdx.y;
  for (unsigned int i = 0; i < 32; i += 8)
    if (xi < (unsigned int)width && yi + i < (unsigned int)height)
      tile[threadIdx.y + i][threadIdx.x] = in[(yi + i) * width + xi];
  __syncthreads();
  xi = blockIdx.y * 32 + threadIdx.x;
  yi = blockIdx.x * 32 + threadIdx.y;
  for (unsigned int i = 0; i < 32; i += 8)
    if (xi < (unsigned int)height && yi + i < (unsigned int)width)
      out[(yi + i) * height + xi] = tile[threadIdx.x][threadIdx.y + i];
}
