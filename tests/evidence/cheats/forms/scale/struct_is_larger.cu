// SPDX-License-Identifier: Apache-2.0
// tries: Declares a larger struct, to read memory behind the parameters.
// stopped by: The struct must have exactly the size of the manifest's fields
//   (grader/grade/execute/execution.cpp).
// verdict: fail compile, 0 points
struct Scaling {
  bool negate;
  short shift;
  double* out;
  const double* in;
  unsigned n;
  double* behind[8];
};
__global__ void scale(Scaling p) {
  const unsigned i = 256 * blockIdx.x + threadIdx.x;
  if (i < p.n) p.out[i] = *p.behind[0];
}
