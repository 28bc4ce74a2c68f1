// SPDX-License-Identifier: Apache-2.0
// Unsigned indices and early returns: after the barrier, threads outside `out` return.
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const unsigned w = width, h = height;
  unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < w) {
    float* p = &tile[threadIdx.y][threadIdx.x];
    for (unsigned end = min(h, blockIdx.y * 32 + 32); y < end; y += 8, p += 8 * 33)
      *p = in[y * w + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  if (x >= h) return;
  for (unsigned k = threadIdx.y; k < 32; k += 8) {
    y = blockIdx.x * 32 + k;
    if (y >= w) return;
    out[y * h + x] = tile[threadIdx.x][k];
  }
}
