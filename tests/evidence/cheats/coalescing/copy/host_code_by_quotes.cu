// SPDX-License-Identifier: Apache-2.0
// tries: Opens raw strings and comments that two parsers end at different places. Leaving out
//   main() then uncovers a #line directive.
// stopped by: The remaining text is checked for #line once more (common/compile/host_code.cpp).
// verdict: fail compile, 0 points
// shows: host_code_by_quotes.cu:
// hides: labs/coalescing/reference.cu:
int main() { const char* a = R"x(")x"; /* " */ } # line 1 "labs/coalescing/reference.cu"
int other() { } /* ' */ %: line 1 "labs/coalescing/reference.cu"
__global__ void copy(float* out, const float* in, int width, int height) {
  this is no C++;
}
