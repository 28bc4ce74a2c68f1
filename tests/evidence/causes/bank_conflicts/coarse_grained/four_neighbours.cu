// SPDX-License-Identifier: Apache-2.0
// cause: partial_sectors|uncoalesced_load|uncoalesced_store line=12
// says: A thread copies four neighbouring floats one by one, so in each load the lanes are 16
//   bytes apart and use 8 of the 32 bytes of a sector.
// never: bank
// Thread t moves the elements 4 t to 4 t + 3 of its tile.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int row = t / 8, column = t % 8 * 4;
  const float* from = in + (blockIdx.y * 32 + row) * width + blockIdx.x * 32 + column;
  float* to = out + (blockIdx.x * 32 + row) * height + blockIdx.y * 32 + column;
  for (int k = 0; k < 4; ++k) to[k] = from[k];
}
