// SPDX-License-Identifier: Apache-2.0
// cause: misaligned_rows line=18
// says: Blocks begin at column 1, so each row of a warp is one word off its 128 bytes and touches five sectors instead of four: begin at a multiple of 32.
__global__ void heat(float* out, const float* in, int width, int height) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= height) return;
  const size_t row = static_cast<size_t>(y) * width;

  // Column 0 is only copied, so the threads have the columns from 1 on.
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (x == 1) out[row] = in[row];
  if (x >= width) return;

  const float* const p = in + row + x;
  float t = *p;
  const bool inner = x < width - 1 && y > 0 && y < height - 1;
  if (inner) t = 0.2f * (t + p[-1] + p[1] + p[-width] + p[width]);
  out[row + x] = t;
}
