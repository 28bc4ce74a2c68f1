// SPDX-License-Identifier: Apache-2.0
// A class with constexpr functions that are host-only.
struct Scale {
  int by;
  constexpr Scale(int n) : by(n) {}
  constexpr int of(int x) const { return by * x; }
};
__global__ void kernel(int* out) {
  Scale scale(3);
  out[threadIdx.x] = scale.of(threadIdx.x);
}
