// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=26
// says: Lanes read words that are 36 apart: the tile is stored by columns, so four lanes at least meet in a
//   bank.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float tile[36][36];
  const int t = threadIdx.y * 32 + threadIdx.x;
  for (int i = t; i < 36 * 36; i += 256) {
    const int c = i % 36, r = i / 36;
    const int x = blockIdx.x * 32 + c - 2, y = blockIdx.y * 32 + r - 2;
    tile[c][r] = x >= 0 && x < width && y >= 0 && y < height ? in[1LL * y * width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x >= width) return;
  for (int j = 0; j < 4; ++j) {
    const int r = threadIdx.y + 8 * j, y = blockIdx.y * 32 + r;
    if (y >= height) return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < 5; ++dy) {
#pragma unroll
      for (int dx = 0; dx < 5; ++dx) sum += weights[dy * 5 + dx] * tile[threadIdx.x + dx][r + dy];
    }
    out[1LL * y * width + x] = sum / 256;
  }
}
