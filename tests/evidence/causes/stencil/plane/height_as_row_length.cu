// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=16
// says: The point below is a row further, and a row has width points, not height.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  const size_t at = (size_t)y * width + x;
  const float* const p = in + at;
  float result = *p;
  const bool border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
  if (!border) {
    const float west = p[-1], east = p[1];
    const float north = *(p - width);
    const float south = *(p + height);
    result = (result + west + east + north + south) * 0.2f;
  }
  out[at] = result;
}
