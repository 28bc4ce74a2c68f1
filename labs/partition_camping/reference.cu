// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: what the exercises mean, with nothing done for speed. One
// thread turns one column of the input into a row of the output; the threads must cover the width.

__global__ void transpose_floats(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  for (int row = 0; row < height; ++row) out[column * height + row] = in[row * width + column];
}

__global__ void transpose_doubles(double* out, const double* in, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  for (int row = 0; row < height; ++row) out[column * height + row] = in[row * width + column];
}

// The reciprocals are for those who need them.
__global__ void transpose_doubles_fast(double* out, const double* in, int width, int height,
                                       unsigned, unsigned) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= width) return;
  for (int row = 0; row < height; ++row) out[column * height + row] = in[row * width + column];
}
