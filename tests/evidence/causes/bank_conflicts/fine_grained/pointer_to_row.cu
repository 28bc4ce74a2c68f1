// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=17
// says: The lanes read a column of a tile whose rows have 32 words: all 32 words are in one
//   bank. Rows of 33 words would spread them.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float buffer[1024];
  float(*t)[32] = reinterpret_cast<float(*)[32]>(buffer);
  const int x = threadIdx.x, y = threadIdx.y;
  const int first = (blockIdx.y * 32 + y) * width + blockIdx.x * 32 + x;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = in[first + 8 * k * width];
#pragma unroll
  for (int k = 0; k < 4; ++k) t[y + 8 * k][x] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) out[first + 8 * k * width] = t[x][y + 8 * k];
}
