// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load line=13
// says: Lanes of a warp load a column of in: threadIdx.x chooses the row, so each load touches
//   32 sectors. Fill the tile along rows.
// never: Transpose the tile in shared memory, so that neighbouring lanes store
// Transposes while loading, so that the tile can be written out as it is.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int row = blockIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width)
      tile[threadIdx.y + j][threadIdx.x] = in[row * width + column + j];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width)
      out[(column + j) * height + row] = tile[threadIdx.y + j][threadIdx.x];
  }
}
