// SPDX-License-Identifier: Apache-2.0
// A static constexpr array in a class, indexed at run time.
struct Tables {
  static constexpr int kPrimes[4] = {2, 3, 5, 7};
};
__global__ void kernel(int* out) { out[threadIdx.x] = Tables::kPrimes[threadIdx.x % 4]; }
