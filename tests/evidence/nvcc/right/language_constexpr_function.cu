// SPDX-License-Identifier: Apache-2.0
// A constexpr function in constant expressions.
// launch: --kernel tables --grid 1 --block 32 --arg out:i32:32
__host__ __device__ constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}
__global__ void tables(int* out) {
  __shared__ int table[power(2, 5)];
  constexpr int factor = power(3, 4);
  table[threadIdx.x] = threadIdx.x * factor;
  __syncthreads();
  out[threadIdx.x] = table[31 - threadIdx.x];
}
