// SPDX-License-Identifier: Apache-2.0
// tries: Declares the struct with output and input exchanged, so that a write to the input looks
//   like a write to the output.
// stopped by: The manifest decides which address is an input, not the submission's struct
//   (grader/cases/sized_case.cpp, common/check/read_only_data.cpp).
// verdict: fail diagnostic input_modified, 0 points
struct Scaling {
  bool negate;
  short shift;
  const double* in;
  double* out;
  unsigned n;
};
__global__ void scale(Scaling p) {
  const unsigned i = 256 * blockIdx.x + threadIdx.x;
  if (i < p.n) p.out[i] = p.shift;
}
