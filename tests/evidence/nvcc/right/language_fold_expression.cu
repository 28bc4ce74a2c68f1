// SPDX-License-Identifier: Apache-2.0
// A fold expression that sums a parameter pack.
// launch: --kernel sums --grid 1 --block 32 --arg out:i32:32
template <typename... Ts>
__device__ auto sum_of(Ts... values) {
  return (values + ... + 0);
}
__global__ void sums(int* out) {
  const int t = threadIdx.x;
  out[t] = sum_of(t, 2 * t, short(3), 'a', t == 5);
}
