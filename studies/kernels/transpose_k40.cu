// SPDX-License-Identifier: Apache-2.0
// The lecture's copy and transposes through shared memory: tiles of 32 x 32, blocks of 32 x 32, one
// element a thread. Square matrices, multiples of 32.
constexpr int kTile = 32;

__global__ void copy_shared(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile];
  const int at = (blockIdx.y * kTile + threadIdx.y) * n + blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[at];
  __syncthreads();
  out[at] = tile[threadIdx.y][threadIdx.x];
}

template <int Pad>
__global__ void transpose_shared(float* out, const float* in, int n) {
  __shared__ float tile[kTile][kTile + Pad];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * n + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * n + blockIdx.y * kTile + x] = tile[x][y];
}
