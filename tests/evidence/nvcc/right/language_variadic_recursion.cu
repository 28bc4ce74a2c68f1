// SPDX-License-Identifier: Apache-2.0
// A recursive variadic template that finds the largest argument.
// launch: --kernel maxima --grid 1 --block 32 --arg out:i32:32
__device__ int largest(int a) { return a; }
template <typename... Ts>
__device__ int largest(int a, Ts... rest) {
  const int b = largest(rest...);
  return a > b ? a : b;
}
__global__ void maxima(int* out) {
  const int t = threadIdx.x;
  out[t] = largest(t ^ 5, 31 - t, (t * 7) % 13, 9);
}
