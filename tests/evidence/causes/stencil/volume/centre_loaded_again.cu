// SPDX-License-Identifier: Apache-2.0
// cause: redundant_loads line=18
// says: The point above is loaded in one step and loaded again as the centre, and again as the
//   point below, in the next two: keep it in registers.
// never: Neighbouring lanes must
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  const float* p = in + y * nx + x;
  float* q = out + y * nx + x;
  for (int z = 0; z < nz; ++z, p += plane, q += plane) {
    const float centre = *p;
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1) {
      const float beside = p[-1] + p[1] + p[-nx] + p[nx];
      result = 0.25f * centre + 0.125f * (beside + p[-plane] + p[plane]);
    }
    *q = result;
  }
}
