// SPDX-License-Identifier: Apache-2.0
// All threads load the 340 values of the tile, corners included, in one loop with clamped indices.
#define TX 32
#define TY 8
__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ float s[(TX + 2) * (TY + 2)];
  const int tid = threadIdx.y * TX + threadIdx.x;
  const int left = (int)(blockIdx.x * TX) - 1, top = (int)(blockIdx.y * TY) - 1;
  for (int k = tid; k < (TX + 2) * (TY + 2); k += TX * TY) {
    const int gx = min(max(left + k % (TX + 2), 0), width - 1);
    const int gy = min(max(top + k / (TX + 2), 0), height - 1);
    s[k] = in[gy * width + gx];
  }
  __syncthreads();
  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* c = s + (threadIdx.y + 1) * (TX + 2) + threadIdx.x + 1;
  const bool inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
  out[y * width + x] = inside ? (c[0] + c[1] + c[-1] + c[TX + 2] + c[-TX - 2]) / 5.0f : c[0];
}
