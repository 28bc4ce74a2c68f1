// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation|wrong_index line=8
// says: A mask of gridDim.x - 1 wraps around only if the grid has a power of two columns.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float t[32][33];
  const unsigned columns = gridDim.x;
  const unsigned last = columns - 1;
  const unsigned bx = (blockIdx.x + blockIdx.y) & last;
  const unsigned by = blockIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) t[j][threadIdx.x] = in[(by * 32 + j) * width + bx * 32 + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) out[(bx * 32 + j) * height + by * 32 + threadIdx.x] = t[threadIdx.x][j];
}
