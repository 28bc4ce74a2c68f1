// SPDX-License-Identifier: Apache-2.0
// tries: Gives a variable a name of letters that turn the direction of the text, so that a message
//   reads as a pass.
// stopped by: Such characters are no letters of C++ (the compiler refuses them) and are escaped
//   where they are shown (common/base/text.cpp).
// verdict: fail compile, 0 points
// hides: \u202e
__global__ void copy(float* out, const float* in, int width, int height) {
  int ‮ssap = 1;
}
