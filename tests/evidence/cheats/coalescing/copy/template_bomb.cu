// SPDX-License-Identifier: Apache-2.0
// tries: Instantiates templates recursively without end.
// stopped by: The compiler runs in a child process with limits (common/compile/compiler_process.cpp).
// verdict: fail compile, 0 points
template <int N>
struct Deep {
  static constexpr int value = Deep<N + 1>::value + Deep<N + 2>::value;
};
__global__ void copy(float* out, const float* in, int width, int height) {
  out[0] = Deep<0>::value;
}
