// SPDX-License-Identifier: Apache-2.0
// One loop and no array: a load, then a store.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  for (int y = threadIdx.y; y < 32; y += blockDim.y) {
    const float v = in[(32 * blockIdx.y + y) * width + 32 * blockIdx.x + threadIdx.x];
    out[(32 * blockIdx.x + y) * height + 32 * blockIdx.y + threadIdx.x] = v;
  }
}
