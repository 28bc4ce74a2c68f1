// SPDX-License-Identifier: Apache-2.0
// tries: Reads behind the struct, where the next parameters or the expected result might be.
// stopped by: The parameters of a kernel are a region with an end
//   (common/sim/memory/address_space.cpp). On a GPU, no result is stored behind it.
// verdict: fail diagnostic, 0 points
// verdict on a GPU: any, 0 points
#include <course/scaling.h>
__global__ void scale(Scaling p) {
  const unsigned i = 256 * blockIdx.x + threadIdx.x;
  const double* behind = reinterpret_cast<const double*>(&p);
  if (i < p.n) p.out[i] = behind[p.n + i];
}
