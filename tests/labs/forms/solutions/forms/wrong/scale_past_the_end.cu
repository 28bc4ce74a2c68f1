// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic out_of_bounds
// cause: missing_guard line=8
#include <course/scaling.h>

__global__ void scale(Scaling p) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  p.out[i] = (p.negate ? -p.in[i] : p.in[i]) + p.shift;
}
