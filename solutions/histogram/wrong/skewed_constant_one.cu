// SPDX-License-Identifier: Apache-2.0
// fails: mechanism gate=wavefronts_k40
// cause: atomic_contention line=24
// Adds the constant 1: an H200 counts the lanes of a counter at once, a K40 one after another.
__device__ uint4 load_group(const unsigned char* in, unsigned n, unsigned first) {
  if (n - first >= 16) return *reinterpret_cast<const uint4*>(in + first);
  uint4 group = {};
  unsigned* const words[4] = {&group.x, &group.y, &group.z, &group.w};
  for (unsigned k = 0; first + k < n; ++k) *words[k / 4] |= in[first + k] << k % 4 * 8;
  return group;
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;  // blockDim.x is 256
  __syncthreads();

  const unsigned stride = 16 * gridDim.x * blockDim.x;
  for (unsigned i = 16 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
    const uint4 group = load_group(in, n, i);
    const unsigned words[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k)
      if (i + k < n) atomicAdd(&counts[words[k / 4] >> k % 4 * 8 & 0xff], 1u);
  }
  __syncthreads();

  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
