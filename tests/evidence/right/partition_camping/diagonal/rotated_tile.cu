// SPDX-License-Identifier: Apache-2.0
// Diagonal block order. The tile's rows are rotated instead of padded.
struct Place {
  int row, column;
};
__device__ Place tile_of_block() {
  return {static_cast<int>(blockIdx.x), static_cast<int>((blockIdx.x + blockIdx.y) % gridDim.x)};
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const Place p = tile_of_block();
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8)
    tile[y][(x + y) & 31] = in[(p.row * 32 + y) * width + p.column * 32 + x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    out[(p.column * 32 + y) * height + p.row * 32 + x] = tile[x][(x + y) & 31];
}
