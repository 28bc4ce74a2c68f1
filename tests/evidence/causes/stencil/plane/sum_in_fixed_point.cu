// SPDX-License-Identifier: Apache-2.0
// cause: wrong_rounding line=5
// says: The sum is computed in units of 1/65536, which loses eight bits of each float; add the floats themselves.
__device__ int fixed(float v) {
  return __float2int_rn(v * 65536.0f);
}

__global__ void heat(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!(x < width && y < height)) return;

  const float* p = in + (y * width + x);
  float* q = out + (p - in);
  if (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
    *q = *p;
    return;
  }
  const float c = p[0], l = p[-1], r = p[1], u = p[-width], d = p[width];
  const int sum = fixed(c) + fixed(l) + fixed(r) + fixed(u) + fixed(d);
  *q = sum * (0.2f / 65536.0f);
}
