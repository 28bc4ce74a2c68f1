// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: swapped_indices line=38
// Exchanges rows and columns of the weights.
constexpr int kStage = 4;  // channels

__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  __shared__ float tile[kStage][10][34];
  __shared__ float weights[kStage][9][33];
  const int thread = threadIdx.y * 32 + threadIdx.x;
  const int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
  const int filter = threadIdx.y % 4 * 8, row = threadIdx.y / 4 * 4;
  const int plane = width * height;
  float sums[8][4] = {};
  for (int first = 0; first < channels; first += kStage) {
    for (int i = thread; i < kStage * 340; i += 256) {
      const int channel = first + i / 340, x = left + i % 34, y = top + i % 340 / 34;
      const bool is_inside = channel < channels && x >= 0 && x < width && y >= 0 && y < height;
      tile[i / 340][i % 340 / 34][i % 34] = is_inside ? in[channel * plane + y * width + x] : 0;
    }
    for (int i = thread; i < kStage * 288; i += 256) {
      const int f = i / (kStage * 9), k = i % (kStage * 9);
      const bool is_inside = first + k / 9 < channels;
      weights[k / 9][k % 9][f] = is_inside ? weight[(f * channels + first) * 9 + k] : 0;
    }
    __syncthreads();
    for (int channel = 0; channel < kStage; ++channel) {
#pragma unroll
      for (int dx = 0; dx < 3; ++dx) {
        float points[6];
#pragma unroll
        for (int i = 0; i < 6; ++i) points[i] = tile[channel][row + i][threadIdx.x + dx];
#pragma unroll
        for (int dy = 0; dy < 3; ++dy) {
#pragma unroll
          for (int f = 0; f < 8; ++f) {
            const float own = weights[channel][dx * 3 + dy][filter + f];
#pragma unroll
            for (int i = 0; i < 4; ++i) sums[f][i] += own * points[i + dy];
          }
        }
      }
    }
    __syncthreads();
  }
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + row;
  if (x >= width) return;
#pragma unroll
  for (int f = 0; f < 8; ++f) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (y + i < height) out[(filter + f) * plane + (y + i) * width + x] = sums[f][i];
    }
  }
}
