// SPDX-License-Identifier: Apache-2.0
// tries: Adds to the block's own bins through cluster addresses, hoping that the gate on shared
//   atomics does not count them.
// stopped by: Its own cluster addresses count as shared memory (common/sim/memory/access.cpp).
// verdict: fail mechanism, 0 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const auto base = static_cast<unsigned>(__cvta_generic_to_shared(counts));
  unsigned cluster = 0, one = 1;
  asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(cluster) : "r"(base));
  asm volatile("" : "+r"(one));
  const auto count = [&](unsigned value) {
    asm volatile("red.shared::cluster.add.u32 [%0], %1;" ::"r"(cluster + 4 * value), "r"(one)
                 : "memory");
  };
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 16; i += gridDim.x * 256) {
    const uint4 group = groups[i];
    for (const unsigned word : {group.x, group.y, group.z, group.w}) {
      for (unsigned shift = 0; shift < 32; shift += 8) count(word >> shift & 255);
    }
  }
  const unsigned rest = n / 16 * 16 + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) count(in[rest]);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
