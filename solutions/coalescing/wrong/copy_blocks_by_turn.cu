// SPDX-License-Identifier: Apache-2.0
// fails: incorrect case=square
// cause: race
// Each block loads the tile that a global counter assigns, but stores it at the block's own
// position. The two agree only if the blocks happen to start in the order of their numbers.
__device__ unsigned next_turn;

__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ unsigned turn;
  if (threadIdx.x == 0 && threadIdx.y == 0) turn = atomicAdd(&next_turn, 1);
  __syncthreads();

  const int from_column = turn % gridDim.x * 32 + threadIdx.x;
  const int from_row = turn / gridDim.x * 32 + threadIdx.y;
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height && from_column < width && from_row + j < height) {
      out[(row + j) * width + column] = in[(from_row + j) * width + from_column];
    }
  }
}
