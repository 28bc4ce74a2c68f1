// SPDX-License-Identifier: Apache-2.0
// A const host array in a device function that no kernel calls.
const int kPrimes[4] = {2, 3, 5, 7};
__device__ int prime(int i) { return kPrimes[i & 3]; }
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
