// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=loads
// cause: redundant_loads line=18
// Has variables for the points above and below, but loads both again for every point.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
#pragma unroll 1
  for (int z = 0; z < nz; ++z) {
    const int i = z * plane + y * nx + x;
    const float centre = in[i];
    float result = centre;
    if (!is_side && z > 0 && z < nz - 1) {
      const float below = in[i - plane], above = in[i + plane];
      const float beside = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx];
      result = centre * 0.25f + (beside + below + above) * 0.125f;
    }
    out[i] = result;
  }
}
