// SPDX-License-Identifier: Apache-2.0
// Rotated rows, with four loads in flight and the loops unrolled.
constexpr int kTile = 32;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float v[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = blockIdx.y * kTile + ty + 8 * k, c = blockIdx.x * kTile + tx;
    if (r < height && c < width) v[k] = in[r * width + c];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[ty + 8 * k][(tx + ty + 8 * k) % kTile] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = tile[tx][(ty + 8 * k + tx) % kTile];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = blockIdx.x * kTile + ty + 8 * k, c = blockIdx.y * kTile + tx;
    if (r < width && c < height) out[r * height + c] = v[k];
  }
}
