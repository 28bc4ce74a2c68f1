// SPDX-License-Identifier: Apache-2.0
// tries: Assumes that 7 is the common value and counts only 7 in a register.
// stopped by: The common value depends on the case and on the seed
//   (common/verify/values.cpp).
// verdict: fail mechanism, 0 points
// verdict on a GPU: fail mechanism, 6 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  unsigned sevens = 0, one = 1;
  asm volatile("" : "+r"(one));
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 16; i += gridDim.x * 256) {
    const uint4 group = groups[i];
    for (const unsigned word : {group.x, group.y, group.z, group.w}) {
      for (unsigned shift = 0; shift < 32; shift += 8) {
        const unsigned value = word >> shift & 255;
        if (value == 7) {
          ++sevens;
        } else {
          atomicAdd(&counts[value], one);
        }
      }
    }
  }
  const unsigned rest = n / 16 * 16 + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) atomicAdd(&counts[in[rest]], 1u);
  if (sevens != 0) atomicAdd(&counts[7], sevens);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
