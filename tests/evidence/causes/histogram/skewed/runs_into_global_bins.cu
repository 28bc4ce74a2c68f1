// SPDX-License-Identifier: Apache-2.0
// cause: global_atomics line=18
// says: Each run of equal bytes costs an atomic on global memory: count in bins of the block in
//   shared memory, and add those once.
// never: Count how often each element is loaded
// Adds up runs of equal bytes in a register.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = 0, run = 0;
  const uint4* groups = (const uint4*)in;
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned v = words[k / 4] >> k % 4 * 8 & 0xff;
      if (v != value) {
        atomicAdd(&bins[value], run);
        run = 0;
        value = v;
      }
      ++run;
    }
  }
  atomicAdd(&bins[value], run);
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&bins[in[rest]], 1u);
}
