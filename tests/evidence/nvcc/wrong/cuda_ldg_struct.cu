// SPDX-License-Identifier: Apache-2.0
// __ldg of a struct.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out, const Pair* in) { out[threadIdx.x] = __ldg(in + threadIdx.x).a; }
