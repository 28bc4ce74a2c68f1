// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=21
// says: The tile is filled with rows of 33 words and read as if its rows had 32.

constexpr int kSide = 32;
constexpr int kPitch = kSide + 1;

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float words[kSide * kPitch];
  const int lane = threadIdx.x, warp = threadIdx.y;

  for (int k = 0; k < 4; ++k) {
    const int line = warp + 8 * k;
    const int c = blockIdx.x * kSide + lane, r = blockIdx.y * kSide + line;
    if (c < width && r < height) words[line * kPitch + lane] = in[r * width + c];
  }
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int line = warp + 8 * k;
    const int c = blockIdx.y * kSide + lane, r = blockIdx.x * kSide + line;
    if (c < height && r < width) out[r * height + c] = words[lane * kSide + line];
  }
}
