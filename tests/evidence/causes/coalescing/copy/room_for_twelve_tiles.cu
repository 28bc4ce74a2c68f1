// SPDX-License-Identifier: Apache-2.0
// cause: low_occupancy|few_loads_in_flight line=9
// says: A block reserves 48 KB of shared memory and uses a twelfth of it, so few blocks fit on a
//   multiprocessor and too few loads are in flight: a copy needs no shared memory.
// never: Neighbouring lanes must load
constexpr int kTile = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float tiles[12][kTile][kTile];
  float(*tile)[kTile] = tiles[blockIdx.x % 12];
  const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll 1
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
    __syncthreads();
  }
  for (int j = 0; j < kTile; j += 8) {
    if (column < width && row + j < height) out[(row + j) * width + column] = tile[threadIdx.y + j][threadIdx.x];
  }
}
