// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=stores_coalesced
// cause: uncoalesced_store line=12
// Loads rows and moves the tile, but stores its columns.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] =
        in[(blockIdx.y * 32 + threadIdx.y + j) * width + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    out[(blockIdx.x * 32 + threadIdx.x) * width + blockIdx.y * 32 + threadIdx.y + j] =
        tile[threadIdx.x][threadIdx.y + j];
}
