// SPDX-License-Identifier: Apache-2.0
// tries: Defines hundreds of host functions whose types are host code, too. Leaving them out one by
//   one would take for ever.
// stopped by: All rounds share the compiler's limits (common/compile/compiler_process.cpp), and one
//   round leaves out every function that the compiler names.
// verdict: pass, 10 points
#define A(n) int f##n() { return main; }
#define B(n) A(n##0) A(n##1) A(n##2) A(n##3) A(n##4) A(n##5) A(n##6) A(n##7) A(n##8) A(n##9)
B(1) B(2) B(3) B(4) B(5) B(6) B(7) B(8) B(9)
int g1(std::a x) { return 1; } int g2(std::b x) { return 2; } int g3(std::c x) { return 3; }
int main() {}
__global__ void copy(float* out, const float* in, int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int row = blockIdx.y * 32 + threadIdx.y; row < blockIdx.y * 32 + 32; row += 8) {
    if (column < width && row < height) out[row * width + column] = in[row * width + column];
  }
}
