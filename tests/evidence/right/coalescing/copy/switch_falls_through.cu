// SPDX-License-Identifier: Apache-2.0
// Duff's device: a switch that falls through does as many rows as are left.
__global__ void copy(float *out, const float *in, int width, int height)
{
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= width || y >= height) return;
  int i = y * width + x, step = 8 * width;
  switch (min(4, (height - y + 7) / 8)) {
    case 4: out[i] = in[i]; i += step;
    case 3: out[i] = in[i]; i += step;
    case 2: out[i] = in[i]; i += step;
    case 1: out[i] = in[i];
  }
}
