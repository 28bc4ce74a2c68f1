// SPDX-License-Identifier: Apache-2.0
// tries: Reads behind the struct, where the next launch's parameters or the expected result might be.
// stopped by: A kernel's parameters are a region with an end (common/sim/memory/address_space.cpp); on a
//   card what is there is no result.
// verdict: fail diagnostic, 0 points
// verdict on a GPU: any, 0 points
#include <course/scaling.h>
__global__ void scale(Scaling p) {
  const unsigned i = 256 * blockIdx.x + threadIdx.x;
  const double* behind = reinterpret_cast<const double*>(&p);
  if (i < p.n) p.out[i] = behind[p.n + i];
}
