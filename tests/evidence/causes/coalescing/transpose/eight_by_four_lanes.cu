// SPDX-License-Identifier: Apache-2.0
// cause: partial_sectors|uncoalesced_store line=11
// says: A warp covers four rows of eight columns, so it stores pieces of 16 bytes and uses half
//   of each sector of out: store along whole rows, through a tile.
// never: several threads
// A warp has 4 rows and 8 columns: whole sectors of in, and not too many of out.
__global__ void transpose(float* out, const float* in, int width, int height) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int column = blockIdx.x * 32 + t % 8, row = blockIdx.y * 32 + t / 8;
  for (int j = 0; j < 32; j += 8) {
    if (row < height && column + j < width) out[(column + j) * height + row] = in[row * width + column + j];
  }
}
