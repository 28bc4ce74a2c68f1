// SPDX-License-Identifier: Apache-2.0
// tries: Prints a report of its own in which it passes, and does no work.
// stopped by: What a kernel prints is shown as that, indented under its heading; verdicts come
//   from what was checked (grader/report/render_text.cpp).
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
