// SPDX-License-Identifier: Apache-2.0
// Exercise LAB/EXERCISE: FILL IN: what the kernel computes, and how it is launched
//
// FILL IN: what the student is to find or to change; then run
//   CALL grade LAB/EXERCISE
__global__ void EXERCISE_kernel(float* out, const float* in, int n) {
  // FILL IN: the code that the student starts from; it must not pass
}
