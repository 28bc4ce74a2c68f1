// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts
// cause: atomic_contention line=24
// Two copies of the bins, side by side: half of the lanes still collide.
__device__ uint4 load_group(const unsigned char* in, unsigned n, unsigned first) {
  if (n - first >= 16) return *reinterpret_cast<const uint4*>(in + first);
  uint4 group = {};
  unsigned* const words[4] = {&group.x, &group.y, &group.z, &group.w};
  for (unsigned k = 0; first + k < n; ++k) *words[k / 4] |= in[first + k] << k % 4 * 8;
  return group;
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256][2];
  counts[threadIdx.x][0] = counts[threadIdx.x][1] = 0;
  __syncthreads();
  const unsigned stride = 16 * gridDim.x * blockDim.x;
  for (unsigned i = 16 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
    const uint4 group = load_group(in, n, i);
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned value = words[k / 4] >> k % 4 * 8 & 0xff;
      atomicAdd(&counts[value][threadIdx.x % 2], i + k < n);
    }
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x][0] + counts[threadIdx.x][1]);
}
