// SPDX-License-Identifier: Apache-2.0
// Eight lanes move a row of a tile, in 16-byte words.
constexpr int kTile = 32;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int thread = threadIdx.y * kTile + threadIdx.x;
  const int row = thread / 8;
  const int column = thread % 8 * 4;
  const float* from = in + (blockIdx.y * kTile + row) * width + blockIdx.x * kTile + column;
  float* to = out + (blockIdx.x * kTile + row) * height + blockIdx.y * kTile + column;
  *reinterpret_cast<float4*>(to) = *reinterpret_cast<const float4*>(from);
}
