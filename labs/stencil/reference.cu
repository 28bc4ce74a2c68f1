// SPDX-License-Identifier: Apache-2.0
// The expected results of this lab: one thread per point, every neighbour loaded from memory.

// Computed in double and rounded once, so the reference is off by at most half a unit in the last
// place.
__global__ void heat_reference(float* out, const float* in, int width, int height) {
  const long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1LL * width * height) return;
  const int x = static_cast<int>(i % width), y = static_cast<int>(i / width);
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
    out[i] = in[i];
    return;
  }
  const double sum = static_cast<double>(in[i]) + in[i - 1] + in[i + 1] + in[i - width] + in[i + width];
  out[i] = static_cast<float>(sum / 5);
}

// Inputs are multiples of 1/8 below 32 and the factors are powers of two: no operation rounds.
__global__ void heat3d_reference(float* out, const float* in, int nx, int ny, int nz) {
  const long long plane = 1LL * nx * ny;
  const long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= plane * nz) return;
  const int x = static_cast<int>(i % nx), y = static_cast<int>(i / nx % ny);
  const int z = static_cast<int>(i / plane);
  const bool is_edge =
      x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
  if (is_edge) {
    out[i] = in[i];
    return;
  }
  const float neighbours =
      in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane];
  out[i] = in[i] / 4 + neighbours / 8;
}
