// SPDX-License-Identifier: Apache-2.0
// A tiled matrix product.
// launch: --kernel product --grid 2,2 --block 8,8 --arg in:f32:256:iota --arg in:f32:256:iota --arg out:f32:256
__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float ta[8][8], tb[8][8];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    ta[threadIdx.y][threadIdx.x] = a[y * 16 + k + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 16 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[y * 16 + x] = sum;
}
