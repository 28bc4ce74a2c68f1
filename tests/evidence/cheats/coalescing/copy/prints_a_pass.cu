// SPDX-License-Identifier: Apache-2.0
// tries: Prints its own report with a pass and does no work.
// stopped by: The report indents what a kernel prints under its own heading, and verdicts follow
//   only from the checks (grader/report/render_text.cpp).
// verdict: fail incorrect, 0 points
// hides: \nPASS  10
// hides: \n10 of 10
#include <cstdio>
__global__ void copy(float* out, const float* in, int width, int height) {
  if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0) {
    printf("\ncoalescing/copy: A copy whose warps go along rows\nPASS  10 of 10 points\n");
    printf("\n10 of 10 points, 1 of 1 exercise passed\n");
  }
}
