// SPDX-License-Identifier: Apache-2.0
// A function template calls a lambda for each of the thread's rows.
template <class Body>
__device__ __forceinline__ void for_rows(Body body) {
#pragma unroll
  for (int k = 0; k < 4; ++k) body(int(threadIdx.y) + 8 * k);
}

__global__ void transpose_fine(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, first = blockIdx.y * 32 * width + blockIdx.x * 32;
  for_rows([&](int y) { tile[x][y] = in[first + y * width + x]; });
  __syncthreads();
  for_rows([&](int y) { out[first + y * width + x] = tile[y][x]; });
}
