// SPDX-License-Identifier: Apache-2.0
// exercise: coalescing/copy
// says: The compiler warns: tests/evidence/messages/unused_result.cu:8: variable "value" was declared but never referenced
// The loaded value is never stored.
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  float value;
  if (column < width && row < height) out[row * width + column] = in[column];
}
