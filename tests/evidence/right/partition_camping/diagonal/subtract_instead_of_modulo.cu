// SPDX-License-Identifier: Apache-2.0
// blockIdx.x + blockIdx.y is below twice the grid width, so one subtraction replaces the modulo.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  int bx = blockIdx.x + blockIdx.y;
  if (bx >= gridDim.x) bx -= gridDim.x;
  const int by = blockIdx.x;
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
