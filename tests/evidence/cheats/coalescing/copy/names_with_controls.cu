// SPDX-License-Identifier: Apache-2.0
// tries: Names a variable with characters that reverse the direction of text, so that a message
//   reads as a pass.
// stopped by: The compiler refuses such characters in names, and the report escapes them
//   (common/base/text.cpp).
// verdict: fail compile, 0 points
// hides: \u202e
__global__ void copy(float* out, const float* in, int width, int height) {
  int ‮ssap = 1;
}
