// SPDX-License-Identifier: Apache-2.0
// Atomics of block and system scope in shared and global memory, and the sum of their return
// values.
// launch: grid 4 block 64

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned counter;
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) {
    counter = 0;
    total = 0;
  }
  __syncthreads();
  const unsigned rank = atomicAdd_block(&counter, 1U);
  atomicAdd_block(&total, static_cast<unsigned long long>(rank));
  atomicMax_system(&out[100 + blockIdx.x], in[blockIdx.x * 64 + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<unsigned>(total) + counter;
}
