// SPDX-License-Identifier: Apache-2.0
// cause: wrong_rounding line=16
// says: The tile stores the points in half precision, which has 11 bits: keep floats.
// never: barrier
#include <cuda_fp16.h>

constexpr int kW = 32, kH = 8;

__global__ void heat(float* out, const float* in, int width, int height) {
  __shared__ __half tile[kH + 2][kW + 2];
  const int x = blockIdx.x * kW + threadIdx.x, y = blockIdx.y * kH + threadIdx.y;
  const int c = threadIdx.x + 1, r = threadIdx.y + 1;
  const bool is_inside = x < width && y < height;
  const float* p = in + (long long)y * width + x;
  if (is_inside) {
    tile[r][c] = __float2half(*p);
    if (r == 1 && y > 0) tile[0][c] = __float2half(p[-width]);
    if (r == kH && y < height - 1) tile[kH + 1][c] = __float2half(p[width]);
    if (c == 1 && x > 0) tile[r][0] = __float2half(p[-1]);
    if (c == kW && x < width - 1) tile[r][kW + 1] = __float2half(p[1]);
  }
  __syncthreads();
  if (!is_inside) return;
  float v = *p;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    v = 0.2f * (v + __half2float(tile[r - 1][c]) + __half2float(tile[r + 1][c]) + __half2float(tile[r][c - 1]) +
                __half2float(tile[r][c + 1]));
  out[(long long)y * width + x] = v;
}
