// SPDX-License-Identifier: Apache-2.0
// Counts runs of equal bytes in a register, one atomic per run. Loads one byte per step.
// deserves: fail performance, 7 points; contention is gone, but byte loads leave memory idle.
#define NUM_BINS 256

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned int bins_s[NUM_BINS];
  for (unsigned int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) bins_s[b] = 0u;
  __syncthreads();

  unsigned int accumulator = 0;
  int prevBin = -1;
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int i = tid; i < n; i += blockDim.x * gridDim.x) {
    int bin = in[i];
    if (bin == prevBin) {
      ++accumulator;
    } else {
      if (accumulator > 0) atomicAdd(&bins_s[prevBin], accumulator);
      accumulator = 1;
      prevBin = bin;
    }
  }
  if (accumulator > 0) atomicAdd(&bins_s[prevBin], accumulator);
  __syncthreads();

  for (unsigned int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
    unsigned int value = bins_s[b];
    if (value > 0) atomicAdd(&bins[b], value);
  }
}
