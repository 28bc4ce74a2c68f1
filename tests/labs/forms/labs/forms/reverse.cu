// SPDX-License-Identifier: Apache-2.0
// Turns each 256 elements round. `to` and `from` are the same buffer.
__global__ void reverse(float* to, const float* from) {
  // Your code.
}
