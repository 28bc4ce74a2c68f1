// SPDX-License-Identifier: Apache-2.0
// cause: wrong_rounding line=11
// says: 0.2 is rounded to a half: 0.19995.
// never: barrier
__global__ void heat(float* next, const float* now, int nx, int ny) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* c = &now[(size_t)y * nx + x];
  float v = c[0];
  if (x > 0 && y > 0 && x + 1 < nx && y + 1 < ny)
    v = 0.19995f * (v + c[-1] + c[1] + c[-nx] + c[nx]); 
  next[(size_t)y * nx + x] = v;
}
