// SPDX-License-Identifier: Apache-2.0
// 64 threads load 4 x 4 squares as float4 and transpose them in registers. The tile holds float4,
// too, swizzled within each row of eight. Sizes that are not multiples of 4 use single words.
// deserves: fail mechanism, 8 points; conflict-free on the H200 only: four lanes that share a bank
//   store to four rows of 256 bytes, and a K40 serves one row at a time
__device__ void with_words(float* tile, float* out, const float* in, int width, int height) {
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = blockIdx.y * 32 + y, c = blockIdx.x * 32 + x;
    if (r < height && c < width) tile[y * 32 + (x ^ y)] = in[r * width + c];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int r = blockIdx.x * 32 + y, c = blockIdx.y * 32 + x;
    if (r < width && c < height) out[r * height + c] = tile[x * 32 + (y ^ x)];
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float4 tile[32][8];
  if ((width | height) & 3) {
    with_words(&tile[0][0].x, out, in, width, height);
    return;
  }
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int x = t % 8, y = t / 8;  // of a 4 x 4 square, if t < 64
  if (t < 64) {
    const int r = blockIdx.y * 32 + 4 * y, c = blockIdx.x * 32 + 4 * x;
    float4 a = {}, b = {}, d = {}, e = {};
    if (r < height && c < width) {
      const float4* p = reinterpret_cast<const float4*>(in + r * width + c);
      a = p[0], b = p[width / 4], d = p[width / 2], e = p[width / 4 * 3];
    }
    tile[4 * x + 0][y ^ x] = make_float4(a.x, b.x, d.x, e.x);
    tile[4 * x + 1][y ^ x] = make_float4(a.y, b.y, d.y, e.y);
    tile[4 * x + 2][y ^ x] = make_float4(a.z, b.z, d.z, e.z);
    tile[4 * x + 3][y ^ x] = make_float4(a.w, b.w, d.w, e.w);
  }
  __syncthreads();
  const int r = blockIdx.x * 32 + t / 8, c = blockIdx.y * 32 + 4 * x;
  if (r < width && c < height)
    *reinterpret_cast<float4*>(out + r * height + c) = tile[t / 8][x ^ (t / 32)];
}
