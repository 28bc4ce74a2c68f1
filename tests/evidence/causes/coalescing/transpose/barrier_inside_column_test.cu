// SPDX-License-Identifier: Apache-2.0
// cause: divergent_barrier line=15
// says: In a tile at the right edge the lanes beyond width never reach this __syncthreads(); move it out of the
//   if.

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float box[32 * 33];
  const int bx = blockIdx.x << 5, by = blockIdx.y << 5;
  const int tx = threadIdx.x, ty = threadIdx.y;

  if (bx + tx < width) {
    for (int r = ty; r < 32; r += 8) {
      if (by + r < height) box[r * 33 + tx] = in[(by + r) * width + bx + tx];
    }
    __syncthreads();
  }

  if (by + tx < height) {
    for (int r = ty; r < 32; r += 8) {
      if (bx + r < width) out[(bx + r) * height + by + tx] = box[tx * 33 + r];
    }
  }
}
