// SPDX-License-Identifier: Apache-2.0
// Initialized __device__ variables: an array, a pointer into it; and a counter.
// launch: grid 4 block 256

__device__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int* pointer = &table[2];
__device__ unsigned counter;
__constant__ short small[4] = {-1, 2, -3, 4};
extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counter, 1U);
  out[i] = in[i] + static_cast<unsigned>(table[i % 8] * pointer[i % 6] + small[in[i] % 4]);
}
