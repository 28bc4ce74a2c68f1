// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_load|uncoalesced_store line=14
// says: Neighbouring lanes get elements that are 8 words apart, because the thread number counts
//   threadIdx.y first: each sector serves one lane.
// never: same element
constexpr int kTile = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  const int t = threadIdx.x * blockDim.y + threadIdx.y;  // 0 to 255
  for (int i = t; i < kTile * kTile; i += 256) {
    const int row = blockIdx.y * kTile + i / kTile;
    const int column = blockIdx.x * kTile + i % kTile;
    if (row < height && column < width) {
      out[row * width + column] = in[row * width + column];
    }
  }
}
