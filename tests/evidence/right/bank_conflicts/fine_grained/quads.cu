// SPDX-License-Identifier: Apache-2.0
// float4 for global loads and stores. Sizes are multiples of 32 here, so no fallback is needed.
__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int t = threadIdx.y * 32 + threadIdx.x, y = t / 8, x = t % 8 * 4;
  const size_t at = (size_t(blockIdx.y) * 32 + y) * width + blockIdx.x * 32 + x;
  const float4 v = *reinterpret_cast<const float4*>(&in[at]);
  tile[y][x + 0] = v.x;
  tile[y][x + 1] = v.y;
  tile[y][x + 2] = v.z;
  tile[y][x + 3] = v.w;
  __syncthreads();
  float4 w;
  w.x = tile[x + 0][y];
  w.y = tile[x + 1][y];
  w.z = tile[x + 2][y];
  w.w = tile[x + 3][y];
  *reinterpret_cast<float4*>(&out[at]) = w;
}
