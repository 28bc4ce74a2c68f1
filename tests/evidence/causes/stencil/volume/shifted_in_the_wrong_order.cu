// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=24
// says: The centre is replaced before it is kept as the point below, so the point below is the new centre: exchange the two assignments.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  int slice = nx * ny;
  int p = y * nx + x;
  bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  float down = 0.0f;
  float mid = in[p];
  float up = 0.0f;
  for (int z = 0; z < nz; z++) {
    if (z + 1 < nz) up = in[p + slice];
    if (edge || z == 0 || z == nz - 1) {
      out[p] = mid;
    } else {
      float around = in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx];
      out[p] = 0.25f * mid + 0.125f * (around + down + up);
    }
    mid = up;
    down = mid;
    p += slice;
  }
}
