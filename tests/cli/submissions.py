# SPDX-License-Identifier: Apache-2.0
"""Kernels that the tests of the command line grade and profile."""

SIGNATURE = "__global__ void copy(float* out, const float* in, int width, int height)"
RIGHT = (
    SIGNATURE
    + """ {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int j = 0; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + threadIdx.y + j;
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
"""
)
DOUBLE_IT = """__global__ void twice(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2.0f * in[i];
}
template <int Factor> __global__ void times(int* out, short n) { out[threadIdx.x] = Factor * n; }
"""
