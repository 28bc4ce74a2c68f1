// SPDX-License-Identifier: Apache-2.0
struct Scaling {
  bool negate;
  short shift;
  double* out;
  const double* in;
  unsigned n;
};

__global__ void scale(Scaling p) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  const double value = p.in[i];
  p.out[i] = (p.negate ? -value : value) + p.shift;
}
