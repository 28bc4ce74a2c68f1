// SPDX-License-Identifier: Apache-2.0
// Neighbours along x come from other lanes, along z from registers, along y from L1.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const bool valid = x < nx && y < ny;
  const bool side = x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1;
  const size_t plane = (size_t)nx * ny;
  const float* p = in + (size_t)y * nx + x;
  float* q = out + (size_t)y * nx + x;
  float prev = 0, cur = valid ? *p : 0;
  for (int z = 0; z < nz; z++) {
    const float next = valid && z + 1 < nz ? p[plane] : 0;
    float w = __shfl_up_sync(~0u, cur, 1), e = __shfl_down_sync(~0u, cur, 1);
    float res = cur;
    if (!side && z > 0 && z + 1 < nz) {
      if (threadIdx.x == 0) w = p[-1];
      if (threadIdx.x == 31) e = p[1];
      res = cur / 4 + (w + e + p[-nx] + p[nx] + prev + next) / 8;
    }
    if (valid) *q = res;
    prev = cur;
    cur = next;
    p += plane;
    q += plane;
  }
}
