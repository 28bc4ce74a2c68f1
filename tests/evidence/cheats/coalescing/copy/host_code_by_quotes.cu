// SPDX-License-Identifier: Apache-2.0
// tries: Opens raw strings and comments that two readers end at different places, so that leaving
//   out main() uncovers a directive that moves the lines.
// stopped by: Such directives are taken out again of what is left (common/compile/host_code.cpp).
// verdict: fail compile, 0 points
// shows: host_code_by_quotes.cu:
// hides: labs/coalescing/reference.cu:
int main() { const char* a = R"x(")x"; /* " */ } # line 1 "labs/coalescing/reference.cu"
int other() { } /* ' */ %: line 1 "labs/coalescing/reference.cu"
__global__ void copy(float* out, const float* in, int width, int height) {
  this is no C++;
}
