// SPDX-License-Identifier: Apache-2.0
// Rotates each row by its index instead of padding it.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32 * 32];
  const int lane = threadIdx.x;
  const float* source = in + blockIdx.y * 32 * width + blockIdx.x * 32;
  float* target = out + blockIdx.y * 32 * width + blockIdx.x * 32;
  for (int r = threadIdx.y; r < 32; r += 8)
    tile[r * 32 + ((lane + r) & 31)] = source[r * width + lane];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8)
    target[r * width + lane] = tile[lane * 32 + ((r + lane) & 31)];
}
