// SPDX-License-Identifier: Apache-2.0
// The first half of each warp copies for both halves.
// deserves: fail performance, 9 points; 0.44 of copy on the simulated H200
// deserves on a GPU: fail performance, 8 points; 0.47 of copy on an H200, bound 0.6: half of the
//   lanes are idle
__global__ void copy(float* out, const float* in, int width, int height) {
  const int half = threadIdx.x & 15;
  if (threadIdx.x & 16) return;
  for (int j = threadIdx.y; j < 32; j += 8) {
    for (int k = 0; k < 2; ++k) {
      const int r = blockIdx.y * 32 + j, c = blockIdx.x * 32 + half + 16 * k;
      if (r < height && c < width) out[r * width + c] = in[r * width + c];
    }
  }
}
