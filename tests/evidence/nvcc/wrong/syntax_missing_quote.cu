// SPDX-License-Identifier: Apache-2.0
// A string without its closing quote.
__global__ void hello(int* out) {
  printf("thread %d\n, threadIdx.x);
  out[threadIdx.x] = 1;
}
