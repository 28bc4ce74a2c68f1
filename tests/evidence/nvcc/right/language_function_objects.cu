// SPDX-License-Identifier: Apache-2.0
// A functor with state as a template argument.
// launch: --kernel 'map<Affine>' --grid 1 --block 32 --arg in:i32:32:iota --arg out:i32:32
struct Affine {
  int a = 3, b = 1;
  __device__ int operator()(int x) const { return a * x + b; }
};
template <typename F>
__global__ void map(const int* in, int* out) {
  F f;
  out[threadIdx.x] = f(in[threadIdx.x]);
}
template __global__ void map<Affine>(const int*, int*);
