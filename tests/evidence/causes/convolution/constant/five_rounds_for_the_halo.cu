// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge line=14
// says: 36 x 36 values are 5 rounds of 256 and 16 more, and the loop does only the five whole rounds: the last 16 values of the tile are never loaded.
__constant__ float weights[25] = {1,  3, 5, 6,  2,  4,  13, 17, 11, 5, 7, 19, 41,
                                  23, 6, 5, 15, 21, 14, 6,  3,  5,  9, 8, 7};

constexpr int S = 36;

__global__ void blur(float* out, const float* in, int width, int height) {
  __shared__ float points[S * S];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int x0 = blockIdx.x * 32 - 2, y0 = blockIdx.y * 32 - 2;
#pragma unroll
  for (int round = 0; round < S * S / 256; ++round) {
    const int i = round * 256 + t;
    const int x = x0 + i % S, y = y0 + i / S;
    float p = 0;
    if (x >= 0 && y >= 0 && x < width && y < height) p = in[(long long)y * width + x];
    points[i] = p;
  }
  __syncthreads();

  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll
  for (int r = 0; r < 8; ++r) {
#pragma unroll
    for (int d = 0; d < 5; ++d) {
      const float p = points[(4 * threadIdx.y + r) * S + threadIdx.x + d];
      if (r < 5) s0 += p * weights[r * 5 + d];
      if (r >= 1 && r < 6) s1 += p * weights[(r - 1) * 5 + d];
      if (r >= 2 && r < 7) s2 += p * weights[(r - 2) * 5 + d];
      if (r >= 3) s3 += p * weights[(r - 3) * 5 + d];
    }
  }

  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + 4 * threadIdx.y;
  if (x >= width) return;
  float* to = out + (long long)y * width + x;
  if (y < height) to[0] = s0 * (1.0f / 256);
  if (y + 1 < height) to[width] = s1 * (1.0f / 256);
  if (y + 2 < height) to[2LL * width] = s2 * (1.0f / 256);
  if (y + 3 < height) to[3LL * width] = s3 * (1.0f / 256);
}
