// SPDX-License-Identifier: Apache-2.0
// fails: diagnostic input_modified
// cause: writes_input line=15
struct Scaling {
  bool negate;
  short shift;
  double* out;
  double* in;
  unsigned n;
};

__global__ void scale(Scaling p) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n) return;
  p.in[i] += p.negate ? -2 * p.in[i] : 0;
  p.out[i] = p.in[i] + p.shift;
}
