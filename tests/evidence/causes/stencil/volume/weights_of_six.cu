// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=4
// says: The six neighbours have the weight 1/6 instead of 1/8.
__device__ float mix(float c, float sum) { return 0.25f * c + sum / 6.0f; } 

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  int i = y * nx + x;
  float below = 0, centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = z < nz - 1 ? in[i + plane] : 0;
    const bool is_edge = is_side || z == 0 || z == nz - 1;
    out[i] = is_edge ? centre : mix(centre, in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = centre;
    centre = above;
  }
}
