// SPDX-License-Identifier: Apache-2.0
// cause: partition_camping line=24
// says: The diagonal camps at 127 beyond every multiple of 128, but the test is modulo 256, so sizes such as 1279
//   still use the diagonal.

constexpr int kTile = 32;

struct QR {
  unsigned q, r;
};

__device__ QR div_by(unsigned n, unsigned g, unsigned reciprocal) {
  if (g == 1) return QR{n, 0};
  QR x;
  x.q = __umulhi(n, reciprocal);
  x.r = n - x.q * g;
  if (x.r >= g) {
    x.q -= 1;
    x.r += g;
  }
  return x;
}

__device__ bool diagonal_camps(int n) { return (n & 255) == 127; }

__global__ void transpose(double* out, const double* in, int width, int height,
                          unsigned reciprocal_grid_x, unsigned reciprocal_grid_y) {
  __shared__ double tile[kTile][kTile + 1];
  int bx = blockIdx.x, by = blockIdx.y;
  if (!diagonal_camps(width) && !diagonal_camps(height)) {
    const QR d = div_by(by * gridDim.x + bx, gridDim.y, reciprocal_grid_y);
    by = d.r;
    bx = div_by(d.q + d.r, gridDim.x, reciprocal_grid_x).r;
  }
  double v[4] = {};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = by * kTile + threadIdx.y + 8 * k, c = bx * kTile + threadIdx.x;
    if (r < height && c < width) v[k] = in[r * width + c];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) tile[threadIdx.y + 8 * k][threadIdx.x] = v[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int r = bx * kTile + threadIdx.y + 8 * k, c = by * kTile + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = tile[threadIdx.x][threadIdx.y + 8 * k];
  }
}
