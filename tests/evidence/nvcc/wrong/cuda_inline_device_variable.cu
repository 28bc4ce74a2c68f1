// SPDX-License-Identifier: Apache-2.0
// An inline __device__ variable in whole program mode.
inline __device__ int shift = 2;
__global__ void primes(int* out) {
  constexpr int kPrimes[] = {2, 3, 5, 7};
  out[threadIdx.x] = kPrimes[threadIdx.x % 4] << shift;
}
