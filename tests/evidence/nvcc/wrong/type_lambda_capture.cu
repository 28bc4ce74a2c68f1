// SPDX-License-Identifier: Apache-2.0
// A lambda that uses a variable without capturing it.
__global__ void kernel(int* out) {
  int n = threadIdx.x;
  auto f = [](int x) { return x + n; };
  out[threadIdx.x] = f(1);
}
