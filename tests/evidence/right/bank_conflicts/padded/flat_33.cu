// SPDX-License-Identifier: Apache-2.0
// A flat array with a pitch of 33 words. Each thread issues all its loads before its first store.
constexpr int kTile = 32;
constexpr int kPitch = 33;
constexpr int kBlockRows = 8;
constexpr int kRowsAThread = kTile / kBlockRows;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile * kPitch];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int column = blockIdx.x * kTile + x;
  const int row = blockIdx.y * kTile + y;
  float value[kRowsAThread];
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = row + k * kBlockRows;
    value[k] = column < width && r < height ? in[r * width + column] : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) tile[(y + k * kBlockRows) * kPitch + x] = value[k];
  __syncthreads();
  const int out_column = blockIdx.y * kTile + x;
  const int out_row = blockIdx.x * kTile + y;
#pragma unroll
  for (int k = 0; k < kRowsAThread; ++k) {
    const int r = out_row + k * kBlockRows;
    if (out_column < height && r < width) {
      out[r * height + out_column] = tile[x * kPitch + y + k * kBlockRows];
    }
  }
}
