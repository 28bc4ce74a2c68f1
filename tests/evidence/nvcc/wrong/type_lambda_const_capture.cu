// SPDX-License-Identifier: Apache-2.0
// A lambda that modifies a captured copy without mutable.
__global__ void kernel(int* out) {
  int n = 0;
  auto next = [n]() { return ++n; };
  out[threadIdx.x] = next();
}
