// SPDX-License-Identifier: Apache-2.0
// Xor with the Gray code of the row, which is a permutation of 0 to 31 as well.
__device__ constexpr unsigned gray(unsigned n) { return n ^ (n >> 1); }

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const unsigned x = threadIdx.x;
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    const unsigned r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    if (r < height && c < width) tile[y][x ^ gray(y)] = in[r * width + c];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < 32; y += 8) {
    const unsigned r = blockIdx.x * 32 + y, c = blockIdx.y * 32 + x;
    if (r < width && c < height) out[r * height + c] = tile[x][y ^ gray(x)];
  }
}
