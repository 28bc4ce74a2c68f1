// SPDX-License-Identifier: Apache-2.0
// Eight counters for each value, side by side: neighbouring lanes use different ones.
#define COPIES 8
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counters[256 * COPIES];
  for (unsigned i = threadIdx.x; i < 256 * COPIES; i += blockDim.x) counters[i] = 0;
  __syncthreads();

  const unsigned copy = threadIdx.x % COPIES;
  const unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned stride = gridDim.x * blockDim.x;
  const uint2* pairs = (const uint2*)in;
  for (unsigned i = tid; i < n / 8; i += stride) {
    const uint2 p = pairs[i];
    for (int shift = 0; shift < 32; shift += 8) {
      atomicAdd(&counters[((p.x >> shift) & 255) * COPIES + copy], 1);
      atomicAdd(&counters[((p.y >> shift) & 255) * COPIES + copy], 1);
    }
  }
  for (unsigned i = n / 8 * 8 + tid; i < n; i += stride) atomicAdd(&counters[in[i] * COPIES], 1);
  __syncthreads();

  unsigned total = 0;
  for (int c = 0; c < COPIES; ++c) {  // every four lanes start at another copy: no conflicts
    total += counters[threadIdx.x * COPIES + (c + threadIdx.x / 4) % COPIES];
  }
  if (total) atomicAdd(&bins[threadIdx.x], total);
}
