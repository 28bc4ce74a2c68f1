// SPDX-License-Identifier: Apache-2.0
// cause: narrow_accesses|few_loads_in_flight line=13
// says: A load brings one byte per lane, so a warp waits for memory once for 32 bytes: load 16
//   bytes per lane as uint4.
// never: global atomics;atomic on global memory;several threads load the same
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    atomicAdd(&counts[in[i]], 1u);
  }
  __syncthreads();
  if (counts[threadIdx.x]) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
