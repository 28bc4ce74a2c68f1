// SPDX-License-Identifier: Apache-2.0
// Warp y loads rows y, y + 8, y + 16 and y + 24, then stores columns 4 y to 4 y + 3. Macros unroll
// both loops by hand.
#define PUT(j)                                                                    \
  do {                                                                            \
    const int r_ = top + threadIdx.y + (j);                                       \
    if (r_ < height && left + lane < width)                                       \
      tile[threadIdx.y + (j)][lane] = in[r_ * width + left + lane];               \
  } while (0)
#define TAKE(j)                                                                   \
  do {                                                                            \
    const int c_ = 4 * threadIdx.y + (j);                                         \
    if (left + c_ < width && top + lane < height)                                 \
      out[(left + c_) * height + top + lane] = tile[lane][c_];                    \
  } while (0)

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int lane = threadIdx.x;
  const int left = blockIdx.x << 5, top = blockIdx.y << 5;
  PUT(0);
  PUT(8);
  PUT(16);
  PUT(24);
  __syncthreads();
  TAKE(0);
  TAKE(1);
  TAKE(2);
  TAKE(3);
}
