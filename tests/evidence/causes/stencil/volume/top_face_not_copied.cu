// SPDX-License-Identifier: Apache-2.0
// cause: unwritten|missing_edge line=17
// says: The loop ends before plane nz - 1 and nothing after it copies that plane, so the top face of `out` is
//   never written.
__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int step = nx * ny;
  int i = y * nx + x;
  const bool rim = !(x > 0 && y > 0 && x < nx - 1 && y < ny - 1);
  float prev = 0.f, cur = in[i];
  out[i] = cur;  // bottom face
  if (nz == 1) return;
  float next = in[i + step];
  for (int z = 1; z < nz - 1; ++z) {
    prev = cur;
    cur = next;
    i += step;
    next = in[i + step];
    out[i] = rim ? cur
                 : cur / 4 + (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + prev + next) / 8;
  }
}
