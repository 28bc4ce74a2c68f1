// SPDX-License-Identifier: Apache-2.0
// tries: Lets host code do the work: the kernel is empty, and a host function copies.
// stopped by: Only the kernel is launched; host code is left out (common/compile/host_code.cpp).
// verdict: fail incorrect, 0 points
#include <cstring>
__global__ void copy(float* out, const float* in, int width, int height) {}
void copy_on_the_host(float* out, const float* in, int width, int height) {
  std::memcpy(out, in, sizeof(float) * width * height);
  copy<<<1, 1>>>(out, in, width, height);
}
int main() { copy_on_the_host(nullptr, nullptr, 0, 0); }
