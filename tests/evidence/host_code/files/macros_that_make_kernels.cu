// SPDX-License-Identifier: Apache-2.0
// A macro that defines kernels, and one that defines host functions to launch them.
// left out: LAUNCHER, LAUNCHER, main
#define ELEMENTWISE(name, op)                                                \
  __global__ void name(float* out, const float* a, const float* b, int n) {  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (i < n) out[i] = a[i] op b[i];                                        \
  }
#define LAUNCHER(name)                                                   \
  void launch_##name(float* out, const float* a, const float* b, int n) { \
    name<<<(n + 255) / 256, 256>>>(out, a, b, n);                         \
  }
ELEMENTWISE(plus, +)
ELEMENTWISE(times, *)
LAUNCHER(plus)
LAUNCHER(times)
int main() {
  launch_plus(nullptr, nullptr, nullptr, 0);
  launch_times(nullptr, nullptr, nullptr, 0);
}
