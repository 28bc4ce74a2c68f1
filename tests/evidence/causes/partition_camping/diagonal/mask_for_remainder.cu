// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=11
// says: `& (gridDim.x - 1)` is the remainder only if gridDim.x is a power of two, so on other
//   grids some tiles are done twice and others never.
struct Place {
  int row, column;
};

// The diagonal of the block, without a division.
__device__ Place tile_of_block() {
  return {int(blockIdx.x), int((blockIdx.x + blockIdx.y) & (gridDim.x - 1))};
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const Place place = tile_of_block();
  const float* from = in + (place.row * 32 + threadIdx.y) * width + place.column * 32 + threadIdx.x;
  float* to = out + (place.column * 32 + threadIdx.y) * height + place.row * 32 + threadIdx.x;

#pragma unroll
  for (int j = 0; j < 32; j += 8, from += 8 * width) tile[threadIdx.y + j][threadIdx.x] = *from;
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 32; j += 8, to += 8 * height) *to = tile[threadIdx.x][threadIdx.y + j];
}
