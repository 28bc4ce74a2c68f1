// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard line=10
// says: The store needs a guard of its own.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < height) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
