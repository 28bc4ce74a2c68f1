// SPDX-License-Identifier: Apache-2.0
// Exercise convolution/channels, solved: 8 filters and 4 points per thread, in registers.
//
// A block computes 32 x 8 points of all 32 filters. For four channels at a time it loads the points
// with their halo and the weights into shared memory. A thread keeps 32 sums: 8 filters at 4 points
// of a column. For one column of weights it loads 6 points, and for each of the 3 weights in it 8
// filters as two float4: 12 shared loads for 96 multiply-adds. The lanes of a warp have different
// points and the same filters, so all of them read the same weights, which is one wavefront.

constexpr int kFilters = 32;
constexpr int kPitch = 36;  // words from the weights of one place to those of the next
constexpr int kWidth = 32;
constexpr int kHeight = 8;
constexpr int kStage = 4;  // channels per stage
constexpr int kThreads = 256;
constexpr int kOwnFilters = 8;  // of a thread
constexpr int kOwnRows = 4;
constexpr int kTilePoints = (kHeight + 2) * (kWidth + 2);

__global__ void conv(float* out, const float* in, const float* weight, int channels, int width,
                     int height) {
  __shared__ float tile[kStage][kHeight + 2][kWidth + 2];
  __shared__ __align__(16) float weights[kStage][9][kPitch];

  const int thread = threadIdx.y * kWidth + threadIdx.x;
  const int left = blockIdx.x * kWidth - 1, top = blockIdx.y * kHeight - 1;
  const int filter = threadIdx.y % 4 * kOwnFilters, row = threadIdx.y / 4 * kOwnRows;
  const long long plane = 1LL * width * height;

  float sums[kOwnFilters][kOwnRows] = {};
  for (int first = 0; first < channels; first += kStage) {
    for (int i = thread; i < kStage * kTilePoints; i += kThreads) {
      const int channel = first + i / kTilePoints, point = i % kTilePoints;
      const int x = left + point % (kWidth + 2), y = top + point / (kWidth + 2);
      const bool is_inside = channel < channels && x >= 0 && x < width && y >= 0 && y < height;
      (&tile[0][0][0])[i] = is_inside ? in[channel * plane + 1LL * y * width + x] : 0;
    }
    for (int i = thread; i < kStage * 9 * kFilters; i += kThreads) {
      const int from_filter = i / (kStage * 9), k = i % (kStage * 9);
      const bool is_inside = first + k / 9 < channels;
      (&weights[0][0][0])[k * kPitch + from_filter] =
          is_inside ? weight[(from_filter * channels + first) * 9 + k] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int channel = 0; channel < kStage; ++channel) {
#pragma unroll
      for (int dx = 0; dx < 3; ++dx) {
        float points[kOwnRows + 2];
#pragma unroll
        for (int i = 0; i < kOwnRows + 2; ++i) points[i] = tile[channel][row + i][threadIdx.x + dx];
#pragma unroll
        for (int dy = 0; dy < 3; ++dy) {
          const float4* const four =
              reinterpret_cast<const float4*>(&weights[channel][dy * 3 + dx][filter]);
          const float4 low = four[0], high = four[1];
          const float own[kOwnFilters] = {low.x,  low.y,  low.z,  low.w,
                                          high.x, high.y, high.z, high.w};
#pragma unroll
          for (int f = 0; f < kOwnFilters; ++f) {
#pragma unroll
            for (int i = 0; i < kOwnRows; ++i) sums[f][i] += own[f] * points[i + dy];
          }
        }
      }
    }
    __syncthreads();  // all threads have read the stage; the next one may replace it
  }

  const int x = blockIdx.x * kWidth + threadIdx.x, y = blockIdx.y * kHeight + row;
  if (x >= width) return;
#pragma unroll
  for (int f = 0; f < kOwnFilters; ++f) {
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i) {
      if (y + i < height) out[(filter + f) * plane + 1LL * (y + i) * width + x] = sums[f][i];
    }
  }
}
