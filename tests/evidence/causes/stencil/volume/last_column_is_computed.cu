// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=8
// says: The test x < nx is true for the last column, too, so points of the face x = nx - 1 are computed instead of copied: it must be x < nx - 1.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const bool inner = 0 < x && x < nx && 0 < y && y < ny - 1;
  const long long plane = static_cast<long long>(nx) * ny;
  const float* p = in + static_cast<long long>(y) * nx + x;
  float* q = out + (p - in);

  float below = 0.0f, here = *p;
  for (int left = nz; left > 0; --left, p += plane, q += plane) {  // planes from here on
    const float above = left > 1 ? p[plane] : 0.0f;
    if (inner && left < nz && left > 1) {
      const float around = (p[-1] + p[1]) + (p[-nx] + p[nx]) + (below + above);
      *q = fmaf(0.125f, around, 0.25f * here);
    } else {
      *q = here;
    }
    below = here;
    here = above;
  }
}
