// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=12
// says: Only the threads with threadIdx.y == 0 reach the barrier; all threads of the block must
//   reach it.
constexpr int kTile = 32;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  if (threadIdx.y == 0) __syncthreads();
  for (int j = 0; j < kTile; j += 8) out[(row + j) * width + column] = tile[threadIdx.x][threadIdx.y + j];
}
