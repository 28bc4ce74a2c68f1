// SPDX-License-Identifier: Apache-2.0
// Each warp moves two rows at a time: 16 lanes per row, a float2 per lane.
__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int x = t % 16 * 2;
#pragma unroll
  for (int y = t / 16; y < 32; y += 16) {
    const float2 v =
        *reinterpret_cast<const float2*>(in + (blockIdx.y * 32 + y) * width + blockIdx.x * 32 + x);
    *reinterpret_cast<float2*>(out + (blockIdx.x * 32 + y) * height + blockIdx.y * 32 + x) = v;
  }
}
