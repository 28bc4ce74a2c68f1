// SPDX-License-Identifier: Apache-2.0
__global__ void scan(int* data, int n, bool exclusive) {
  __shared__ int sums[2][256];
  const int t = threadIdx.x;
  const int i = 256 * blockIdx.x + t;
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
