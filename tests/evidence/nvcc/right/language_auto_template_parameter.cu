// SPDX-License-Identifier: Apache-2.0
// A template parameter of type auto.
// launch: --kernel added --grid 1 --block 32 --arg out:i32:32
template <auto Value>
__device__ auto plus(int x) {
  return x + Value;
}
__global__ void added(int* out) { out[threadIdx.x] = plus<5>(threadIdx.x) + plus<'a'>(1) + plus<true>(0); }
