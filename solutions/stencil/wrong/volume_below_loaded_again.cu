// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads
// Keeps the point above as the next centre, but loads the point below again: six loads per point.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  float above = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {
    const int i = z * plane + y * nx + x;
    const float centre = above;
    if (z < nz - 1) above = in[i + plane];
    if (is_side || z == 0 || z == nz - 1) {
      out[i] = centre;
    } else {
      const float neighbours =
          in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + above;
      out[i] = centre / 4 + neighbours / 8;
    }
  }
}
