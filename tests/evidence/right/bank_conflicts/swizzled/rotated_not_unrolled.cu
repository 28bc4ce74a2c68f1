// SPDX-License-Identifier: Apache-2.0
// Rotates rows in loops that are not unrolled, with a signed modulo.
// deserves: fail performance, 7 points; 0.609 of copy on an H200, bound 0.7: without
//   unrolling, few loads are in flight
__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll 1
  for (int j = ty; j < 32; j += 8) {
    const int r = blockIdx.y * 32 + j, c = blockIdx.x * 32 + tx;
    if (r < height && c < width) tile[j][(tx + j) % 32] = in[r * width + c];
  }
  __syncthreads();
#pragma unroll 1
  for (int j = ty; j < 32; j += 8) {
    const int r = blockIdx.x * 32 + j, c = blockIdx.y * 32 + tx;
    if (r < width && c < height) out[r * height + c] = tile[tx][(j + tx) % 32];
  }
}
