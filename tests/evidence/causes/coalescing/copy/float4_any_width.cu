// SPDX-License-Identifier: Apache-2.0
// cause: misaligned line=11
// says: Rows of any width do not begin at multiples of 16 bytes, so a float4 there is misaligned.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int lane = threadIdx.x + 32 * threadIdx.y;
  const int x = blockIdx.x * 32 + lane % 8 * 4, y = blockIdx.y * 32 + lane / 8;
  if (y >= height) return;
  const float* p = in + y * width + x;
  float* q = out + y * width + x;
  if (x + 3 < width) {
    *(float4*)q = *(const float4*)p; 
  } else {
    for (int k = 0; x + k < width; ++k) q[k] = p[k];
  }
}
