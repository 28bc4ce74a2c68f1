// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=16
// says: Each tile is transposed but stays where it was: row and column of the block must be
//   exchanged for out.
// never: barrier;__syncthreads
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * 32 + tx, row = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (column < width && row + j < height) tile[ty + j][tx] = in[(row + j) * width + column];
  __syncthreads();
  const int out_row = blockIdx.y * 32 + ty, out_column = blockIdx.x * 32 + tx;
  for (int j = 0; j < 32; j += 8)
    if (out_row + j < width && out_column < height)
      out[(out_row + j) * height + out_column] = tile[tx][ty + j];
}
