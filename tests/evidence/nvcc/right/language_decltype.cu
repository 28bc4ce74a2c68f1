// SPDX-License-Identifier: Apache-2.0
// decltype, trailing return types and type aliases.
// launch: --kernel products --grid 1 --block 32 --arg out:f64:32
template <typename A, typename B>
__device__ auto product(A a, B b) -> decltype(a * b) {
  return a * b;
}
using Result = decltype(product(1, 1.0));
__global__ void products(double* out) {
  static_assert(sizeof(Result) == 8);
  out[threadIdx.x] = product(int(threadIdx.x), 0.1) + product(2.5f, 2);
}
