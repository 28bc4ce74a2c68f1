// SPDX-License-Identifier: Apache-2.0
// tries: Expands a macro to a trillion statements.
// stopped by: The compiler's process has limits on time and memory
//   (common/compile/compiler_process.cpp).
// verdict: fail compile, 0 points
// slow: may take all of the time that the compiler has
#define A(x) x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x
#define B(x) A(A(A(A(A(A(A(A(x))))))))
__global__ void copy(float* out, const float* in, int width, int height) {
  B(out[0] = 1;)
}
