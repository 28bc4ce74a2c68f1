// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: partial_sectors line=15
// Each thread copies four neighbouring floats, as CPU threads would. The result is correct, but the
// lanes of a warp are 16 bytes apart, so each sector of 32 bytes serves only two lanes.
constexpr int kTile = 32;

__global__ void copy(float* out, const float* in, int width, int height) {
  constexpr int kChunk = 4;
  constexpr int kThreadsARow = kTile / kChunk;
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * kTile + thread / kThreadsARow;
  const int first = blockIdx.x * kTile + thread % kThreadsARow * kChunk;
  for (int column = first; column < first + kChunk; ++column) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
