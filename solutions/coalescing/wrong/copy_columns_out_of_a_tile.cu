// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: uncoalesced_store line=16
// Loads rows, as it should, and turns them in a tile, so that its stores go down columns.
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  for (int j = 0; j < 32; j += 8) {
    const int r = blockIdx.y * 32 + threadIdx.y + j, c = blockIdx.x * 32 + threadIdx.x;
    if (r < height && c < width) tile[threadIdx.y + j][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (row < height && column + j < width)
      out[row * width + column + j] = tile[threadIdx.x][threadIdx.y + j];
}
