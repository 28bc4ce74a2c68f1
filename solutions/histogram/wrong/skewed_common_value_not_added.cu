// SPDX-License-Identifier: Apache-2.0
// fails: incorrect
// Each thread counts bytes equal to in[0] in a register, but only thread 0's register is added.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned common = in[0];
  unsigned own = 0;

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      if (value == common) {
        ++own;
      } else {
        atomicAdd(&counts[value], 1u);
      }
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest]], 1u);
  if (threadIdx.x == 0) atomicAdd(&counts[common], own);
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
