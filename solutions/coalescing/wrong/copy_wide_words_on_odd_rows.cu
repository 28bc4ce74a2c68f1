// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic misaligned
// cause: misaligned line=17
// Moves four floats at once if the row has four left. A float4 must be aligned to 16 bytes. If the
// width is not a multiple of 4, most rows do not begin at such an address.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void copy(float* out, const float* in, int width, int height) {
  if (threadIdx.x >= kTile / 4) return;
  const int first = blockIdx.x * kTile + threadIdx.x * 4;
  for (int j = 0; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + threadIdx.y + j;
    if (row >= height) return;
    if (first + 3 < width) {
      const int index = row * width + first;
      *reinterpret_cast<float4*>(out + index) = *reinterpret_cast<const float4*>(in + index);
    } else {
      for (int column = first; column < width; ++column) {
        out[row * width + column] = in[row * width + column];
      }
    }
  }
}
