// SPDX-License-Identifier: Apache-2.0
// No shared memory: rows of a tile stay rows, so both sides are already coalesced.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const float* from = in + blockIdx.y * kTile * width + blockIdx.x * kTile + threadIdx.x;
  float* to = out + blockIdx.x * kTile * height + blockIdx.y * kTile + threadIdx.x;
  float value[kTile / kBlockRows];
#pragma unroll
  for (int k = 0; k < kTile / kBlockRows; ++k) {
    value[k] = from[(threadIdx.y + k * kBlockRows) * width];
  }
#pragma unroll
  for (int k = 0; k < kTile / kBlockRows; ++k) {
    to[(threadIdx.y + k * kBlockRows) * height] = value[k];
  }
}
