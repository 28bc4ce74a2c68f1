// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load line=14
// says: The stores follow rows of out now, but neighbouring lanes load words of a column of in, one sector each;
//   pass the elements through a shared tile.

__global__ void transpose(float* out, const float* in, int width, int height) {
  // out has `width` rows and `height` columns
  const int out_x = blockIdx.y * 32 + threadIdx.x;
  if (out_x >= height) return;
  const float* column = in + out_x * width;
#pragma unroll
  for (int j = 0; j < 32; j += 8) {
    const int out_y = blockIdx.x * 32 + threadIdx.y + j;
    if (out_y < width) out[out_y * height + out_x] = column[out_y];
  }
}
