// SPDX-License-Identifier: Apache-2.0
// extern __shared__ in a kernel, and a launch that passes the size.
// left out: main
#include <cstdlib>
#include <cstring>
extern __shared__ unsigned char scratch[];
__global__ void reverse(int* data, int n) {
  int* s = reinterpret_cast<int*>(scratch);
  int t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  data[t] = s[n - t - 1];
}
int main() {
  const int n = 64;
  int a[n], *d;
  memset(a, 0, sizeof a);
  cudaMalloc(&d, n * sizeof(int));
  reverse<<<1, n, n * sizeof(int)>>>(d, n);
  cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
  return a[0] == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
