// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// cause: wrong_operation
// Updates edge points, too, and uses the point itself for each missing neighbour.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  const float centre = in[i];
  const float left = x > 0 ? in[i - 1] : centre, right = x + 1 < width ? in[i + 1] : centre;
  const float up = y > 0 ? in[i - width] : centre, down = y + 1 < height ? in[i + width] : centre;
  out[i] = centre + 0.2f * (left + right + up + down - 4 * centre);
}
