// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/transpose
// says: tile_of_64_kilobytes.cu:9
// says: declares 65,536 bytes of static shared memory, more than the limit of 49,152 bytes (48 KB)
// says: tile[128][128] uses 65,536 of them
// Unused, and still too large.
__global__ void transpose(float* out, const float* in, int width, int height) {

  __shared__ float tile[128][128];
  for (int i = threadIdx.x; i < 128; i += 32) tile[i][threadIdx.y] = in[0];
  out[0] = tile[height % 128][width % 128];
}
