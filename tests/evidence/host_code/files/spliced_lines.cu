// SPDX-License-Identifier: Apache-2.0
// Lines continued with a backslash, in macros, comments and code.
// left out: main
#define BOUND(i, n) \
  if (i >= n)       \
  return
// a comment that goes on \
int main() { not code
__global__ void bound(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  BOUND(i, n);
  x[i] = i;
}
int \
main() \
{ \
  return 0; \
}
