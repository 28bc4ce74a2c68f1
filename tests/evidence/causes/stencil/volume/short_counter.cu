// SPDX-License-Identifier: Apache-2.0
// cause: index_overflow line=13
// says: z is a short, which cannot count past 32,767, and a volume can have more planes: use
//   int.
// never: barrier
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  const int own = y * nx + x;
  float below = 0, centre = in[own];
  for (short z = 0; z < nz; ++z) {
    const int i = own + z * plane;
    const float above = z < nz - 1 ? in[i + plane] : 0;
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1)
      result = centre / 4 + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above) / 8;
    out[i] = result;
    below = centre;
    centre = above;
  }
}
