// SPDX-License-Identifier: Apache-2.0
// A header that the grader does not have, needed by host code only.
// left out: <course/context.h>, "../common/timer.hpp", context, solve
#include <course/context.h>
#include "../common/timer.hpp"
__global__ void halve(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 0.5f;
}
static course::Context context("halve");
COURSE_EXPORT void solve(float* x, int n) {
  course::Timer timer(context);
  halve<<<(n + 255) / 256, 256>>>(x, n);
}
