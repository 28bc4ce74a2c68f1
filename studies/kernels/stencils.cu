// SPDX-License-Identifier: Apache-2.0
// One step of heat flow in a plane of n x n points by blocks of 32 x 8, in four ways. n is a multiple
// of 32. The edge is copied.

__device__ bool is_edge(int x, int y, int n) { return x == 0 || y == 0 || x == n - 1 || y == n - 1; }

template <class Float>
__device__ void five_loads(float* out, const Float* in, int n, int x, int y) {
  const Float* point = in + y * n + x;
  out[y * n + x] = is_edge(x, y, n)
                       ? *point
                       : 0.2f * (point[0] + point[-1] + point[1] + point[-n] + point[n]);
}

__global__ void down_columns(float* out, const float* in, int n) {
  const int t = threadIdx.y * 32 + threadIdx.x;
  five_loads(out, in, n, blockIdx.x * 32 + t / 8, blockIdx.y * 8 + t % 8);
}

__global__ void from_l2(float* out, const float* in, int n) {
  const volatile float* bypassing = in;
  five_loads(out, bypassing, n, blockIdx.x * 32 + threadIdx.x, blockIdx.y * 8 + threadIdx.y);
}

__global__ void through_l1(float* out, const float* in, int n) {
  five_loads(out, in, n, blockIdx.x * 32 + threadIdx.x, blockIdx.y * 8 + threadIdx.y);
}

__global__ void tile(float* out, const float* in, int n) {
  __shared__ float tile[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const float* const point = in + y * n + x;
  float* const mine = &tile[threadIdx.y + 1][threadIdx.x + 1];
  *mine = *point;
  if (threadIdx.y == 0 && y > 0) mine[-34] = point[-n];
  if (threadIdx.y == 7 && y < n - 1) mine[34] = point[n];
  if (threadIdx.x == 0 && x > 0) mine[-1] = point[-1];
  if (threadIdx.x == 31 && x < n - 1) mine[1] = point[1];
  __syncthreads();
  out[y * n + x] =
      is_edge(x, y, n) ? *mine : 0.2f * (mine[0] + mine[-1] + mine[1] + mine[-34] + mine[34]);
}
