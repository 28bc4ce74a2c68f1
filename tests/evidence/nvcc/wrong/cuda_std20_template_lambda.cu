// SPDX-License-Identifier: Apache-2.0
// An undefined name in a C++20 template lambda.
__global__ void kernel(int* out) {
  auto f = []<typename T>(T x) { return x + T(missing); };
  out[threadIdx.x] = f(1);
}
