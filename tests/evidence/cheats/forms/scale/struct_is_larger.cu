// SPDX-License-Identifier: Apache-2.0
// tries: Declares a larger struct, to read what lies behind the parameters on the machine.
// stopped by: The struct must have the bytes that the manifest's fields take
//   (grader/grade/execute/compiled.cpp).
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
