// SPDX-License-Identifier: Apache-2.0
// out = in + shift, or -in + shift.
struct Scaling {
  bool negate;
  short shift;
  double* out;
  const double* in;
  unsigned n;
};

__global__ void scale(Scaling p) {
  // Your code.
}
