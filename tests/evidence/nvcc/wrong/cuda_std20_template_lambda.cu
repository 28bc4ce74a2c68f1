// SPDX-License-Identifier: Apache-2.0
// A lambda with a template parameter list calls a name that it lacks.
__global__ void kernel(int* out) {
  auto f = []<typename T>(T x) { return x + T(missing); };
  out[threadIdx.x] = f(1);
}
