// SPDX-License-Identifier: Apache-2.0
// fails: compile
// cause: compile_error
struct Scaling {
  bool negate;
  double* out;
  const double* in;
  unsigned long n, more;
};

__global__ void scale(Scaling p) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) p.out[i] = p.in[i];
}
