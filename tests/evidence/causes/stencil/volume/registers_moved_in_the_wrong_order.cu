// SPDX-License-Identifier: Apache-2.0
// cause: wrong_operation line=9
// says: The centre is overwritten before it becomes the point below, so both hold the point above; assign `below`
//   first.
struct Column {
  float below, centre, above;
  __device__ void up() {
    centre = above;
    below = centre;
  }
};

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const bool wall = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  const int layer = nx * ny;
  const float* p = in + y * nx + x;
  float* q = out + y * nx + x;

  Column col = {0.0f, *p, 0.0f};
  int z = 0;
  do {
    col.above = z + 1 < nz ? p[layer] : 0.0f;
    if (wall || z == 0 || z == nz - 1) {
      *q = col.centre;
    } else {
      const float flat = p[-1] + p[1] + p[-nx] + p[nx];
      *q = 0.25f * col.centre + 0.125f * (flat + col.below + col.above);
    }
    col.up();
    p += layer;
    q += layer;
  } while (++z < nz);
}
