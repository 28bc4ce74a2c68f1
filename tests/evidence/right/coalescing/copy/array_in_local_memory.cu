// SPDX-License-Identifier: Apache-2.0
// The loops are not unrolled, so the array is indexed dynamically and the compiler keeps it in
// local memory.
__global__ void copy(float* out, const float* in, int width, int height) {
  float v[4];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
  for (int k = 0; k < 4; ++k)
    if (x < width && y + 8 * k < height) v[k] = in[(y + 8 * k) * width + x];
#pragma unroll 1
  for (int k = 3; k >= 0; --k)
    if (x < width && y + 8 * k < height) out[(y + 8 * k) * width + x] = v[k];
}
