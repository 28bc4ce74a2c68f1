// SPDX-License-Identifier: Apache-2.0
// A header in the submission's folder with device and host functions.
// left out: main, check, Stopwatch, seconds, show, print_all
#include "headers/both.h"
__global__ void gain(float* x, int n) {
  int i = global_index();
  if (i < n) x[i] = amplify(x[i]);
}
int main() {
  Stopwatch watch;
  gain<<<1, 32>>>(nullptr, 0);
  check(cudaDeviceSynchronize());
  show(watch.seconds());
}
