// SPDX-License-Identifier: Apache-2.0
// tries: Hopes that a buffer in place still holds what an earlier launch made of it: does the work
//   where the sums do not look made.
// stopped by: The content is sent anew for each launch, another one each time, and never from a copy
//   that a kernel could change (common/gpu/timed_memory.cpp); so the work is done each time.
// verdict: pass, 6 points
__device__ int launches;
__global__ void scan(int* data, int n, bool exclusive) {
  __shared__ int sums[2][256];
  const int t = threadIdx.x, i = 256 * blockIdx.x + t;
  if (launches > 0) return;
  const int own = i < n ? data[i] : 0;
  int now = 0;
  sums[now][t] = own;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    sums[1 - now][t] = sums[now][t] + (t >= d ? sums[now][t - d] : 0);
    now = 1 - now;
  }
  if (i < n) data[i] = exclusive ? sums[now][t] - own : sums[now][t];
}
