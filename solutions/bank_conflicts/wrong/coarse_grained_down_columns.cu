// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: uncoalesced_load
// Moves the tiles, but the lanes go down columns of both `in` and `out`.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    out[(blockIdx.x * kTile + threadIdx.x) * height + blockIdx.y * kTile + j] =
        in[(blockIdx.y * kTile + threadIdx.x) * width + blockIdx.x * kTile + j];
  }
}
