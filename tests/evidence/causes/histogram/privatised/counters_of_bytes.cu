// SPDX-License-Identifier: Apache-2.0
// cause: compile_error line=9
// says: There is no atomicAdd for unsigned char: the counters must be unsigned.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned char counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[in[i]], 1);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], (unsigned)counts[threadIdx.x]);
}
