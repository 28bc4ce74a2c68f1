// SPDX-License-Identifier: Apache-2.0
// User-defined literals in host code, and digit separators.
// left out: operator, operator, main
#include <string>
long long operator""_KiB(unsigned long long n) { return n * 1024; }
std::string operator""_s(const char* text, std::size_t size) { return {text, size}; }
constexpr int kCount = 1'024;
__global__ void ones(int* x) {
  for (int i = threadIdx.x; i < kCount; i += 3'2) x[i] = 0x1'0;
}
int main() { return (int)(4_KiB + "a'{"_s.size()); }
