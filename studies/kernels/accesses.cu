// SPDX-License-Identifier: Apache-2.0
// Kernels so small that each access of theirs can be drawn.

constexpr int kTile = 32;

// A warp of two threads sums the 16 elements of a 4 x 4 matrix: two neighbours of a row at a time.
__global__ void along_rows(float* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) sum += in[k / 2 * 4 + k % 2 * 2 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// The same, two neighbours of a column at a time.
__global__ void down_columns(float* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) sum += in[(k % 2 * 2 + threadIdx.x) * 4 + k / 2];
  out[threadIdx.x] = sum;
}

// One warp fills a tile along its rows and takes it out down its columns.
template <int Columns>
__device__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile][Columns];
  const int lane = threadIdx.x;
  for (int row = 0; row < kTile; ++row) tile[row][lane] = in[row * kTile + lane];
  __syncthreads();
#pragma unroll 1
  for (int column = 0; column < kTile; ++column) out[column * kTile + lane] = tile[lane][column];
}

__global__ void tile_of_32(float* out, const float* in) { turn<32>(out, in); }
__global__ void tile_of_33(float* out, const float* in) { turn<33>(out, in); }

// Row r keeps its word of column c at c ^ r.
__global__ void tile_swizzled(float* out, const float* in) {
  __shared__ float tile[kTile][kTile];
  const int lane = threadIdx.x;
  for (int row = 0; row < kTile; ++row) tile[row][lane ^ row] = in[row * kTile + lane];
  __syncthreads();
#pragma unroll 1
  for (int column = 0; column < kTile; ++column) {
    out[column * kTile + lane] = tile[lane][column ^ lane];
  }
}

// A thread sums `count` elements, `apart` from one another.
__device__ void sum_apart(float* out, const float* in, int first, int apart, int count) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < count; ++k) sum += in[first + k * apart];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One element a thread.
__global__ void uncoarsened(float* out, const float* in) {
  sum_apart(out, in, blockIdx.x * 4 + threadIdx.x, 4, 1);
}

// Half as many threads a block, each with two elements that are the block's threads apart.
__global__ void coarsened_threads(float* out, const float* in) {
  sum_apart(out, in, blockIdx.x * 4 + threadIdx.x, 2, 2);
}

// The mistake: each thread takes two neighbours.
__global__ void coarsened_neighbours(float* out, const float* in) {
  sum_apart(out, in, blockIdx.x * 4 + threadIdx.x * 2, 1, 2);
}

// Half as many blocks, each with the work of two.
__global__ void coarsened_blocks(float* out, const float* in) {
  sum_apart(out, in, blockIdx.x * 8 + threadIdx.x, 4, 2);
}
