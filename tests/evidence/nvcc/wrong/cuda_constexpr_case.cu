// SPDX-License-Identifier: Apache-2.0
// A case label that calls a constexpr host function.
constexpr int twice(int n) { return 2 * n; }
__global__ void kernel(int* out) {
  switch (threadIdx.x) {
    case twice(4):
      out[0] = 1;
  }
}
