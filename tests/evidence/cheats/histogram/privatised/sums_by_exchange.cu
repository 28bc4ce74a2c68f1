// SPDX-License-Identifier: Apache-2.0
// tries: Counts in global memory by atomics whose result is used. The gate on added bins counts
//   only reductions.
// stopped by: Atomics whose result is used have their own gate, which the points for bins require
//   (labs/histogram/grader.toml).
// verdict: fail mechanism, 5 points
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  unsigned used = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 16; i += gridDim.x * 256) {
    const uint4 group = groups[i];
    for (const unsigned word : {group.x, group.y, group.z, group.w}) {
      for (unsigned shift = 0; shift < 32; shift += 8)
        used |= atomicAdd(&bins[word >> shift & 255], 1u);
    }
  }
  const unsigned rest = n / 16 * 16 + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) used |= atomicAdd(&bins[in[rest]], 1u);
  if (used == 0xffffffffu) __trap();
}
