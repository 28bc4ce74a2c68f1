// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic race
// cause: missing_barrier line=8
__global__ void scan(int* data, int n, bool exclusive) {
  const int i = 256 * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  int sum = exclusive ? 0 : data[i];
  for (int k = 256 * blockIdx.x; k < i; ++k) sum += data[k];
  data[i] = sum;
}
