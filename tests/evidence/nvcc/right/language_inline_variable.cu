// SPDX-License-Identifier: Apache-2.0
// A static __device__ variable and a constexpr array inside a function.
// launch: --kernel primes --grid 1 --block 32 --arg out:i32:32
static __device__ int shift = 2;
__global__ void primes(int* out) {
  constexpr int kPrimes[] = {2, 3, 5, 7};
  out[threadIdx.x] = kPrimes[threadIdx.x % 4] << shift;
}
