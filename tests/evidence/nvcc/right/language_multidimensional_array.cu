// SPDX-License-Identifier: Apache-2.0
// Shared and local arrays of two and three dimensions.
// launch: --kernel planes --grid 1 --block 8,4 --arg out:i32:32
__global__ void planes(int* out) {
  __shared__ int tile[4][9];
  int cube[2][3][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) cube[i][j][k] = i * 100 + j * 10 + k + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = cube[threadIdx.y % 2][threadIdx.x % 3][threadIdx.y];
  __syncthreads();
  out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.y][7 - threadIdx.x];
}
