// SPDX-License-Identifier: Apache-2.0
// A static_assert that calls a constexpr host function.
constexpr int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }
__global__ void kernel(int* out) {
  static_assert(power(2, 5) == 32);
  out[threadIdx.x] = 1;
}
