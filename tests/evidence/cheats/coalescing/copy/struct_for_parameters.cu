// SPDX-License-Identifier: Apache-2.0
// tries: Takes all parameters as one struct of the same bytes, by a name without a type in it, to have
//   the addresses as numbers.
// stopped by: The list of parameters is that of the compiled kernel, by number and size
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
