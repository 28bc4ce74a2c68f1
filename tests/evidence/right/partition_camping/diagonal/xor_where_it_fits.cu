// SPDX-License-Identifier: Apache-2.0
// If the grid width is a power of two, the column is x ^ y, which also visits each tile once.
// Otherwise it is (x + y) % width.
template <typename F>
__device__ void each_row(F f) {
  for (int y = threadIdx.y; y < 32; y += 8) f(y);
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const unsigned g = gridDim.x;
  const unsigned tx = (g & (g - 1)) == 0 ? blockIdx.x ^ blockIdx.y : (blockIdx.x + blockIdx.y) % g;
  const unsigned ty = blockIdx.x;
  each_row(
      [&](int y) { tile[y][threadIdx.x] = in[(ty * 32 + y) * width + tx * 32 + threadIdx.x]; });
  __syncthreads();
  each_row(
      [&](int y) { out[(tx * 32 + y) * height + ty * 32 + threadIdx.x] = tile[threadIdx.x][y]; });
}
