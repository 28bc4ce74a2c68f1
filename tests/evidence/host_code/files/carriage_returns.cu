// SPDX-License-Identifier: Apache-2.0
// Lines end as on Windows.
// left out: show, main
#include <cstdio>
#define SHOW(x) \
  printf("%d\n", x)
__global__ void put(int* x) {
  x[threadIdx.x] = 7;
}
void show(int v) {
  SHOW(v);
}
int main() {
  put<<<1, 32>>>(nullptr);
  show(1);
}
