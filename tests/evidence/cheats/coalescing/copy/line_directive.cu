// SPDX-License-Identifier: Apache-2.0
// tries: Moves its errors to the course's own file by #line.
// stopped by: #line is removed before the compiler sees the text
//   (common/compile/directives.cpp).
// verdict: fail compile, 0 points
// shows: line_directive.cu:
// hides: labs/coalescing/reference.cu:
#line 1 "labs/coalescing/reference.cu"
__global__ void copy(float* out, const float* in, int width, int height) {
  this is no C++;
}
