// SPDX-License-Identifier: Apache-2.0
// tries: Keeps what each block has begun with; where that comes again, a buffer in place may still hold
//   what an earlier launch made of it, so it does nothing.
// stopped by: The content is sent anew for each launch, another one each time, never from a copy that a
//   kernel could change (common/gpu/timed_memory.cpp), and variables start afresh: it does the work
//   each time.
// verdict: pass, 6 points
__device__ int begun_with[1 << 12];
__global__ void scan(int* data, int n, bool exclusive) {
  __shared__ int sums[2][256];
  const int t = threadIdx.x, i = 256 * blockIdx.x + t;
  const int first = data[256 * blockIdx.x];
  const bool is_made = begun_with[blockIdx.x] == first;
  const int own = i < n ? data[i] : 0;
  int now = 0;
  sums[now][t] = own;
  __syncthreads();
  if (is_made) return;
  if (t == 0) begun_with[blockIdx.x] = first;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    sums[1 - now][t] = sums[now][t] + (t >= d ? sums[now][t - d] : 0);
    now = 1 - now;
  }
  if (i < n) data[i] = exclusive ? sums[now][t] - own : sums[now][t];
}
