// SPDX-License-Identifier: Apache-2.0
// Tiled product of two 32 x 32 matrices of floats, tiles of 8 x 8 in shared memory.
// launch: grid 4,4 block 8,8

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ float a[8][8];
  __shared__ float b[8][8];
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int tile = 0; tile < 4; ++tile) {
    a[threadIdx.y][threadIdx.x] =
        static_cast<float>(in[y * 32 + tile * 8 + threadIdx.x] & 0xfff) / 1000.0F;
    b[threadIdx.y][threadIdx.x] =
        static_cast<float>(in[1024 + (tile * 8 + threadIdx.y) * 32 + x] & 0xfff) / 1000.0F;
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  out[y * 32 + x] = __float_as_uint(sum);
}
