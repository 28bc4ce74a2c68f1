// SPDX-License-Identifier: Apache-2.0
// out = in + shift, or -in + shift.
#include <course/scaling.h>

__global__ void scale(Scaling p) {
  // Your code.
}
