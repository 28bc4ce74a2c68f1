// SPDX-License-Identifier: Apache-2.0
// cause: wrong_index line=14
// says: The store reads tile[threadIdx.x][threadIdx.y] in each pass of the loop: + j is missing,
//   so rows 8 to 31 get rows 0 to 7.
// never: barrier
constexpr int kTile = 32;

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(row + j) * width + column];
  __syncthreads();
  for (int j = 0; j < kTile; j += 8) out[(row + j) * width + column] = tile[threadIdx.x][threadIdx.y];
}
