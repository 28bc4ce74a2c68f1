// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=24
// says: The tile has rows of 34 words, but the neighbour below is looked up 32 words on.
constexpr int kRow = 34;
__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float tile[10 * kRow];
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 10 * kRow; i += 256) {
    const int x = left + i % kRow, y = top + i / kRow;
    tile[i] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* p = tile + (threadIdx.y + 1) * kRow + threadIdx.x + 1;
  float v = *p;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const float up = p[-kRow];
    const float west = p[-1];
    const float east = p[1];
    // In the row
    // below are the points
    // one row further.
    const float down = p[32];
    v = 0.2f * (v + up + west + east + down);
  }
  out[y * width + x] = v;
}
