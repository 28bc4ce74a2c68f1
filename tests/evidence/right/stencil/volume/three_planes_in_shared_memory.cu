// SPDX-License-Identifier: Apache-2.0
// Three planes with their halo in shared memory, indexed modulo 3.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  __shared__ float planes[3][10][34];
  const int tid = threadIdx.y * 32 + threadIdx.x;
  const int left = (int)(blockIdx.x * 32) - 1, top = (int)(blockIdx.y * 8) - 1;
  const int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  const long long plane = (long long)nx * ny;
  auto load = [&](int z) {
    for (int k = tid; k < 340; k += 256) {
      const int gx = min(max(left + k % 34, 0), nx - 1), gy = min(max(top + k / 34, 0), ny - 1);
      planes[z % 3][k / 34][k % 34] = in[z * plane + gy * nx + gx];
    }
  };
  load(0);
  for (int z = 0; z < nz; ++z) {
    if (z + 1 < nz) load(z + 1);
    __syncthreads();
    if (x < nx && y < ny) {
      const int a = threadIdx.y + 1, b = threadIdx.x + 1;
      const auto& mid = planes[z % 3];
      float r = mid[a][b];
      if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
        r = r / 4 + (mid[a][b - 1] + mid[a][b + 1] + mid[a - 1][b] + mid[a + 1][b] +
                     planes[(z + 2) % 3][a][b] + planes[(z + 1) % 3][a][b]) / 8;
      }
      out[z * plane + y * nx + x] = r;
    }
    __syncthreads();
  }
}
