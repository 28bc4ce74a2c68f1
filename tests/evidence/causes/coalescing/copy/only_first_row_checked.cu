// SPDX-License-Identifier: Apache-2.0
// cause: missing_guard line=15
// says: Only the first of the four rows is compared with height; the other three can lie below the matrix, so test
//   each row.

__global__ void copy(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* from = in + (y * width + x);
  float* to = out + (y * width + x);
  const int step = 8 * width;
  int left = 4;
  do {
    *to = *from;
    to += step;
    from += step;
  } while (--left > 0);
}
