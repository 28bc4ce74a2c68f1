// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=19
// Overwrites the tile with the next plane while other warps still read the current one.
constexpr int kW = 32, kH = 8;

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  __shared__ float tile[kH + 2][kW + 2];
  const int x = blockIdx.x * kW + threadIdx.x, y = blockIdx.y * kH + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool valid = x < nx && y < ny;
  const bool interior = x > 0 && y > 0 && x < nx - 1 && y < ny - 1;
  const int plane = nx * ny;
  int i = y * nx + x;
  float behind = 0, current = valid ? in[i] : 0, front = 0;
  for (int z = 0; z < nz; ++z, i += plane) {
    if (valid) {
      front = z + 1 < nz ? in[i + plane] : 0;
      tile[ty][tx] = current;
      if (threadIdx.y == 0 && y > 0) tile[0][tx] = in[i - nx];
      if (threadIdx.y == kH - 1 && y < ny - 1) tile[kH + 1][tx] = in[i + nx];
      if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[i - 1];
      if (threadIdx.x == kW - 1 && x < nx - 1) tile[ty][kW + 1] = in[i + 1];
    }
    __syncthreads();
    if (valid) {
      float value = current;
      if (interior && z > 0 && z < nz - 1) {
        value = 0.25f * current + 0.125f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                                            tile[ty + 1][tx] + behind + front);
      }
      out[i] = value;
    }
    behind = current;
    current = front;
  }
}
