// SPDX-License-Identifier: Apache-2.0
// Macros of a host test library, invoked without semicolons before the next declaration.
// left out: REGISTER, TEST_CASE, TEST_CASE, main
#include <cstdio>
#define REGISTER(name) static int registered_##name = 1;
#define TEST_CASE(name) static void test_##name()
#define ALIGNED(n) __attribute__((aligned(n)))
REGISTER(alpha)
struct ALIGNED(16) Quad {
  float v[4];
};
__global__ void quads(Quad* q) { q[threadIdx.x].v[1] = q[threadIdx.x].v[2]; }
TEST_CASE(first) { quads<<<1, 1>>>(nullptr); }
TEST_CASE(second) {
  printf("%d\n", registered_alpha);
}
int main() {
  test_first();
  test_second();
}
