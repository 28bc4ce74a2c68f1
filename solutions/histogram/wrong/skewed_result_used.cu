// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: atomic_contention line=21
// Uses the result of the atomics to find the largest count, so equal bytes are serialized.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  __shared__ unsigned most;
  if (threadIdx.x == 0) most = 0;

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  unsigned largest = 0;
  for (unsigned g = thread; g < n / 16; g += threads) {
    const uint4 group = groups[g];
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      largest = max(largest, atomicAdd(&counts[value], 1u));
    }
  }
  const unsigned rest = n / 16 * 16 + thread;
  if (rest < n) atomicAdd(&counts[in[rest]], 1u);
  __syncthreads();
  atomicMax(&most, largest);
  __syncthreads();

  if (most < n) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
