// SPDX-License-Identifier: Apache-2.0
// A struct holds three points of a column and advances along z. Loads run two planes ahead.
struct Column {
  const float* at;
  int step;
  float below, here, above;
  __device__ void advance(float next) {
    below = here;
    here = above;
    above = next;
    at += step;
  }
};

__device__ float point(const float* in, int z, int nz, int plane) { return z < nz ? in[z * plane] : 0.0f; }

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockDim.x * blockIdx.x + threadIdx.x;
  const int y = blockDim.y * blockIdx.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const float* const first = in + y * nx + x;
  Column c{first, plane, 0, point(first, 0, nz, plane), point(first, 1, nz, plane)};
  const bool face = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  for (int z = 0; z < nz; ++z) {
    const float next = point(first, z + 2, nz, plane);
    float value = c.here;
    if (!(face || z == 0 || z == nz - 1)) {
      const float* p = c.at;
      value = 0.25f * value + 0.125f * p[1] + 0.125f * p[-1] + 0.125f * p[nx] + 0.125f * p[-nx] +
              0.125f * c.below + 0.125f * c.above;
    }
    out[z * plane + y * nx + x] = value;
    c.advance(next);
  }
}
