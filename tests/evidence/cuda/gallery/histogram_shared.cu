// SPDX-License-Identifier: Apache-2.0
// Histogram of bytes, private to a block in shared memory, merged with atomics.
// launch: grid 4 block 256

extern "C" __global__ void kernel(unsigned* out, const unsigned* in) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < 4096; i += 1024) {
    const unsigned word = in[i];
    atomicAdd(&bins[word & 255], 1U);
    atomicAdd(&bins[word >> 8 & 255], 1U);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
