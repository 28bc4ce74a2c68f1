// SPDX-License-Identifier: Apache-2.0
// Copies through shared memory, like the reference copy in NVIDIA's transpose sample.
__global__ void copy(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 32];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      tile[(threadIdx.y + j) * 32 + threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height)
      out[(y + j) * width + x] = tile[(threadIdx.y + j) * 32 + threadIdx.x];
}
