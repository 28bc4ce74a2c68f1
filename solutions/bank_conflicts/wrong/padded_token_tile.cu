// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=shared_loads_h200
// cause: uncoalesced_store line=21
// Each block pads a tile but uses it for one row only. The other rows go straight from `in` to
// columns of `out`. No request has a conflict, and the kernel gains nothing.
constexpr int kTile = 32;
constexpr int kBlockRows = 8;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];

  const int column = blockIdx.x * kTile + threadIdx.x;
  for (int j = threadIdx.y; j < kTile; j += kBlockRows) {
    const int row = blockIdx.y * kTile + j;
    if (column >= width || row >= height) continue;
    float value = in[row * width + column];
    if (j == 0) {
      tile[0][threadIdx.x] = value;
      value = tile[0][threadIdx.x];
    }
    out[column * height + row] = value;
  }
}
