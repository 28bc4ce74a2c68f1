// SPDX-License-Identifier: Apache-2.0
// tries: Spells #line with a digraph, a splice and a comment, to move its errors to a course file.
// stopped by: Directives are read as the preprocessor reads them (common/compile/directives.cpp).
// verdict: fail compile, 0 points
// shows: hidden_line_directive.cu:
// hides: labs/coalescing/reference.cu:
%: /* */ li\
ne 1 "labs/coalescing/reference.cu"
__global__ void copy(float* out, const float* in, int width, int height) {
  this is no C++;
}
