// SPDX-License-Identifier: Apache-2.0
// Divides the linear block index by the grid width: the remainder is the tile row, the quotient the
// diagonal. A lambda wraps the column.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 33];
  const unsigned g = gridDim.x, id = blockIdx.y * g + blockIdx.x;
  const auto wrap = [g](unsigned n) { return n < g ? n : n - g; };
  const unsigned tile_row = id % g, tile_column = wrap(tile_row + id / g);
  const unsigned t = threadIdx.y * 32 + threadIdx.x;
#pragma unroll
  for (unsigned i = t; i < 1024; i += 256)
    tile[i + i / 32] = in[(tile_row * 32 + i / 32) * width + tile_column * 32 + i % 32];
  __syncthreads();
#pragma unroll
  for (unsigned i = t; i < 1024; i += 256)
    out[(tile_column * 32 + i / 32) * height + tile_row * 32 + i % 32] = tile[i % 32 * 33 + i / 32];
}
