// SPDX-License-Identifier: Apache-2.0
// A 32 x 32 transpose through a padded tile.
// launch: grid 1,1 block 32,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned tile[32][33];
  for (int j = 0; j < 32; j += 8) {
    tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * 32 + threadIdx.x];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    out[(threadIdx.y + j) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
  }
}
