// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads_coalesced
// cause: uncoalesced_load line=15
// The skeleton reversed: writes whole rows and reads columns straight from `in`. Strided reads cost
// less than strided writes, so this is the better naive transpose. But a warp still moves 32
// sectors for 128 bytes.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kBlockRows) {
    if (out_column < height && out_row + j < width) {
      out[(out_row + j) * height + out_column] = in[out_column * width + out_row + j];
    }
  }
}
