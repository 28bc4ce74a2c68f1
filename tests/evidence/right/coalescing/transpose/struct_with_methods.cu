// SPDX-License-Identifier: Apache-2.0
// The tile is a struct in shared memory, with methods to fill it and to store it transposed.
struct Tile {
  float words[32][33];

  __device__ void fill(const float* in, int row0, int column0, int rows, int columns) {
    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
      if (row0 + r >= rows || column0 + threadIdx.x >= columns) continue;
      words[r][threadIdx.x] = in[(row0 + r) * columns + column0 + threadIdx.x];
    }
  }
  __device__ void empty_turned(float* out, int row0, int column0, int rows, int columns) const {
    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
      if (row0 + r >= rows || column0 + threadIdx.x >= columns) continue;
      out[(row0 + r) * columns + column0 + threadIdx.x] = words[threadIdx.x][r];
    }
  }
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ Tile tile;
  tile.fill(in, blockIdx.y * 32, blockIdx.x * 32, height, width);
  __syncthreads();
  tile.empty_turned(out, blockIdx.x * 32, blockIdx.y * 32, width, height);
}
