// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// Transposes all tiles of a block, but without shared memory: the stores go down columns.
template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  for (int j = 0; j < 32; j += 8)
    for (int c = 0; c < Factor; ++c) {
      const int column = (blockIdx.x * Factor + c) * 32 + threadIdx.x,
                row = blockIdx.y * 32 + threadIdx.y + j;
      if (column < width && row < height) out[column * height + row] = in[row * width + column];
    }
}
