// SPDX-License-Identifier: Apache-2.0
// Exercise stencil/volume: one step of heat flow in a volume.
//
// Input: `in`, nz planes of ny rows of nx floats, multiples of 1/8; all sides from 1 up. Point
//   (x, y, z) is in[(z * ny + y) * nx + x].
// Output: out is in / 4 + (the six neighbours) / 8 for each point inside. Points on a face of the
//   volume are copied. No operation rounds, so the results are compared bit by bit.
// Launch: ceil(nx / 32) x ceil(ny / 8) blocks of 32 x 8 threads, no dynamic shared memory: each
//   thread computes all points (x, y, 0) to (x, y, nz - 1).
// Allowed: all device code of CUDA C++.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right, but it loads seven values for each point. A thread has already loaded
// some of them for the point before. Keep these in registers. Then run
//   ./warpgrade grade stencil/volume

__global__ void heat3d(float* out, const float* in, int nx, int ny, int nz) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= nx || y >= ny) return;

  const int plane = nx * ny;
  const bool is_side = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
  for (int z = 0; z < nz; ++z) {
    const int i = z * plane + y * nx + x;
    if (is_side || z == 0 || z == nz - 1) {
      out[i] = in[i];
    } else {
      const float neighbours =
          in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane];
      out[i] = in[i] / 4 + neighbours / 8;
    }
  }
}
