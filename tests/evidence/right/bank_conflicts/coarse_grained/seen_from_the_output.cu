// SPDX-License-Identifier: Apache-2.0
// Maps blocks to tiles of `out`. Swapping row and column of that tile gives the input tile.
template <typename Index>
__device__ Index at(Index row, Index column, Index pitch) {
  return row * pitch + column;
}

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const unsigned tile_row = blockIdx.y, tile_column = blockIdx.x;  // of `out`, which is square too
  float v[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    v[k] = in[at<unsigned>(tile_column * 32 + threadIdx.y + 8 * k, tile_row * 32 + threadIdx.x,
                           width)];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    out[at<unsigned>(tile_row * 32 + threadIdx.y + 8 * k, tile_column * 32 + threadIdx.x, height)] =
        v[k];
}
