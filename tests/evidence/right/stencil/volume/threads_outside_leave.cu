// SPDX-License-Identifier: Apache-2.0
// Keeps the previous, current and next values in registers and the current plane in shared memory.
// Threads outside the volume exit at once, and barriers wait only for the others.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  __shared__ float current_plane[8][32];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  if (x >= nx || y >= ny) return;
  const size_t plane = (size_t)nx * ny;
  size_t i = (size_t)y * nx + x;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;

  float previous = 0, current = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float next = z + 1 < nz ? in[i + plane] : 0;
    current_plane[ty][tx] = current;
    __syncthreads();
    float result = current;
    if (!is_side && z > 0 && z < nz - 1) {
      const float left = tx > 0 ? current_plane[ty][tx - 1] : in[i - 1];
      const float right = tx < 31 ? current_plane[ty][tx + 1] : in[i + 1];
      const float up = ty > 0 ? current_plane[ty - 1][tx] : in[i - nx];
      const float down = ty < 7 ? current_plane[ty + 1][tx] : in[i + nx];
      result = current / 4 + (left + right + up + down + previous + next) / 8;
    }
    out[i] = result;
    __syncthreads();
    previous = current;
    current = next;
  }
}
