// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=13
// says: A plane has nx * ny points, not nx * nx, so the walk along z leaves the column as soon as the two sides
//   differ.
template <typename T>
__device__ T seventh(T c, T w, T e, T n, T s, T b, T a) {
  return c * T(0.25) + (w + e + n + s + b + a) * T(0.125);
}

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * nx;
  const bool side = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  float b = 0, c = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {
    const int i = z * plane + y * nx + x;
    float a = 0;
    if (z < nz - 1) a = in[i + plane];
    if (side || z == 0 || z == nz - 1)
      out[i] = c;
    else
      out[i] = seventh(c, in[i - 1], in[i + 1], in[i - nx], in[i + nx], b, a);
    b = c;
    c = a;
  }
}
