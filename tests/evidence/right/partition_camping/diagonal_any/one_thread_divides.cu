// SPDX-License-Identifier: Apache-2.0
// One thread computes the tile and shares it with the others through shared memory.
__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[32][33];
  __shared__ int place[2];
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    const int id = blockIdx.x + gridDim.x * blockIdx.y;
    place[1] = id % gridDim.y;
    place[0] = (id / gridDim.y + place[1]) % gridDim.x;
  }
  __syncthreads();
  const int bx = place[0], by = place[1];
  const int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  const int tx = by * 32 + threadIdx.x, ty = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
