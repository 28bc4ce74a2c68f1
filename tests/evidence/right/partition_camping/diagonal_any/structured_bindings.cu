// SPDX-License-Identifier: Apache-2.0
// A constexpr function returns quotient and remainder, which a structured binding unpacks.
struct Pair {
  int first, second;
};
constexpr int kSide = 32;

__device__ constexpr Pair divided(int n, int d) { return {n / d, n % d}; }

__global__ void transpose(double* out, const double* in, int width, int height) {
  __shared__ double tile[kSide][kSide + 1];
  const auto [diagonal, by] = divided(blockIdx.x + gridDim.x * blockIdx.y, gridDim.y);
  const int bx = divided(diagonal + by, gridDim.x).second;
  for (int y = threadIdx.y; y < kSide; y += 8) {
    const int r = by * kSide + y, c = bx * kSide + threadIdx.x;
    if (r < height && c < width) tile[y][threadIdx.x] = in[r * width + c];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < kSide; y += 8) {
    const int r = bx * kSide + y, c = by * kSide + threadIdx.x;
    if (r < width && c < height) out[r * height + c] = tile[threadIdx.x][y];
  }
}
