// SPDX-License-Identifier: Apache-2.0
// A function template returns quotient and remainder in a uint2. A divisor of 1 is a special case.
template <typename Pair>
__device__ __forceinline__ Pair divmod(unsigned n, unsigned d, unsigned r) {
  Pair p;
  p.x = d > 1 ? __umulhi(n, r) : n;
  p.y = n - p.x * d;
  if ((int)p.y < 0) {
    p.x -= 1;
    p.y += d;
  }
  return p;
}

__global__ void __launch_bounds__(256)
    transpose(double* __restrict__ out, const double* __restrict__ in, int width, int height,
              unsigned rx, unsigned ry) {
  __shared__ double tile[32 * 33];
  const uint2 a = divmod<uint2>(blockIdx.y * gridDim.x + blockIdx.x, gridDim.y, ry);
  const uint2 b = divmod<uint2>(a.x + a.y, gridDim.x, rx);
  const int ty = a.y, tx = b.y;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 1024; i += 256) {
    const int r = ty * 32 + (i >> 5), c = tx * 32 + (i & 31);
    if (r < height && c < width) tile[(i >> 5) * 33 + (i & 31)] = in[r * width + c];
  }
  __syncthreads();
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 1024; i += 256) {
    const int r = tx * 32 + (i >> 5), c = ty * 32 + (i & 31);
    if (r < width && c < height) out[r * height + c] = tile[(i & 31) * 33 + (i >> 5)];
  }
}
