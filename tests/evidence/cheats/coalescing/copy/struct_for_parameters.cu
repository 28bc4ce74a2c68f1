// SPDX-License-Identifier: Apache-2.0
// tries: Declares all parameters as one struct of the same size, under an unmangled name, to get
//   the addresses as numbers.
// stopped by: The parameter list of the compiled kernel must match in number and sizes
//   (common/compile/find_kernel.cpp).
// verdict: fail compile, 0 points
struct All {
  unsigned long long out, in;
  int width, height;
};
extern "C" __global__ void copy(All all) {
  float* out = reinterpret_cast<float*>(all.out);
  const float* in = reinterpret_cast<const float*>(all.in);
  for (int i = threadIdx.x; i < all.width * all.height; i += 32) out[i] = in[i];
}
