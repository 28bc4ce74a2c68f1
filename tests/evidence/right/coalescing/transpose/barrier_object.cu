// SPDX-License-Identifier: Apache-2.0
// Waits for the tile at a cuda::barrier instead of __syncthreads.
// unfair: fail performance, 9 points; a real K40 does not support cuda::barrier; polling slows the
//   simulated one to 0.293 of copy
// unfair on a GPU: pass; the speed on a K40 is not graded there
#include <cuda/barrier>

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  __shared__ cuda::barrier<cuda::thread_scope_block> filled;
  if (threadIdx.x == 0 && threadIdx.y == 0) init(&filled, 256);
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  filled.arrive_and_wait();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (tx < height && ty + j < width)
      out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}
