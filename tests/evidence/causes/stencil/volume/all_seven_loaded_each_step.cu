// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads line=15
// says: Each step loads the centre and the point below again, which the thread had in earlier steps; keep them in
//   registers.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const auto index = [=](int i, int j, int k) { return (k * ny + j) * nx + i; };
  const auto at = [=](int i, int j, int k) { return in[index(i, j, k)]; };

  for (int z = 0; z != nz; ++z) {
    float r = at(x, y, z);
    const bool face = x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
    if (!face) {
      float six = at(x, y, z - 1) + at(x, y, z + 1);
      six += at(x - 1, y, z) + at(x + 1, y, z);
      six += at(x, y - 1, z) + at(x, y + 1, z);
      r = 0.25f * r + 0.125f * six;
    }
    out[index(x, y, z)] = r;
  }
}
