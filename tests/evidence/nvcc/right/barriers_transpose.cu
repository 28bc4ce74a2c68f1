// SPDX-License-Identifier: Apache-2.0
// A transpose through a padded tile in shared memory.
// launch: --kernel transpose --grid 2,2 --block 8,8 --arg in:f32:256:iota --arg out:f32:256
__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[8][9];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * 16 + x];
  __syncthreads();
  out[(blockIdx.x * 8 + threadIdx.y) * 16 + blockIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
