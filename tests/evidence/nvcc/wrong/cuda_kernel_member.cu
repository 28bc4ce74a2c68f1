// SPDX-License-Identifier: Apache-2.0
// A kernel as a member function.
struct Solver {
  __global__ void step(int* out) { out[threadIdx.x] = 1; }
};
