// SPDX-License-Identifier: Apache-2.0
// cause: uncoalesced_store line=22
// says: Neighbouring lanes store words that are height apart, a sector each; keep the tile in shared memory and
//   store along rows of out.

template <int Factor>
__global__ void transpose_coarsened(float* out, const float* in, int width, int height) {
  const int base = blockIdx.x * 32 * Factor + threadIdx.x;
  float v[4];
#pragma unroll 1
  for (int c = 0; c < Factor; ++c) {
    const int column = base + 32 * c;
    if (column >= width) return;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int row = blockIdx.y * 32 + threadIdx.y + 8 * k;
      if (row < height) v[k] = in[row * width + column];
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int row = blockIdx.y * 32 + threadIdx.y + 8 * k;
      if (row < height) out[column * height + row] = v[k];
    }
  }
}
