// SPDX-License-Identifier: Apache-2.0
// #pragma unroll with a run-time count.
__global__ void kernel(int* out, int n) {
  int sum = 0;
#pragma unroll n
  for (int i = 0; i < n; ++i) sum += i;
  out[threadIdx.x] = sum;
}
