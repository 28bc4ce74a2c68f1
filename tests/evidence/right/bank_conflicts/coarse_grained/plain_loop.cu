// SPDX-License-Identifier: Apache-2.0
// One loop and no register array: each iteration loads one element and stores it.
// deserves on a GPU: any; 0.694 of copy on an H200 with an interval of 0.008, too close to the
//   bound of 0.7 to decide: the loop is not unrolled, so few loads are in flight
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    const float v = in[(32 * blockIdx.y + y) * width + 32 * blockIdx.x + threadIdx.x];
    out[(32 * blockIdx.x + y) * height + 32 * blockIdx.y + threadIdx.x] = v;
  }
}
