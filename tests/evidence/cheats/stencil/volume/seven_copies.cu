// SPDX-License-Identifier: Apache-2.0
// tries: Makes all seven loads of a point by asynchronous copies to shared memory, which the gate
//   on loads might not count.
// stopped by: Asynchronous copies count as loads (common/sim/exec/uncommon/async.cpp).
// verdict: fail mechanism, 0 points
#include <cuda_pipeline.h>

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  __shared__ float mine[7][256];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int t = threadIdx.y * 32 + threadIdx.x;
  if (x >= nx || y >= ny) return;
  const bool side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  const int plane = nx * ny;
  for (int z = 0; z < nz; ++z) {
    const int i = z * plane + y * nx + x;
    if (side || z == 0 || z == nz - 1) {
      out[i] = in[i];
      continue;
    }
    const int at[7] = {i, i - 1, i + 1, i - nx, i + nx, i - plane, i + plane};
    for (int j = 0; j < 7; ++j) __pipeline_memcpy_async(&mine[j][t], &in[at[j]], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    float sum = 0;
    for (int j = 1; j < 7; ++j) sum += mine[j][t];
    out[i] = mine[0][t] / 4 + sum / 8;
  }
}
