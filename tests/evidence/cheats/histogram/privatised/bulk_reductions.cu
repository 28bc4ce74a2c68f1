// SPDX-License-Identifier: Apache-2.0
// tries: Adds 16 bytes to the global bins per input byte by a bulk reduction, which the gates on
//   atomic requests do not count.
// stopped by: L2 counts the sectors that bulk reductions write, and the points for bins require
//   that gate (labs/histogram/grader.toml).
// verdict: fail mechanism, 5 points
// slow: The race check inspects every bulk copy, 15 s in all.
__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ alignas(16) unsigned one[4][4];  // row r has a 1 in word r
  if (threadIdx.x < 16) one[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x % 5 == 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  const auto count = [&](unsigned byte) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 16;"
                 :: "l"(&bins[byte & ~3u]),
                    "r"(static_cast<unsigned>(__cvta_generic_to_shared(one[byte & 3]))) : "memory");
  };
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n / 16; i += gridDim.x * 256) {
    const uint4 group = groups[i];
    for (const unsigned word : {group.x, group.y, group.z, group.w}) {
      for (unsigned shift = 0; shift < 32; shift += 8) count(word >> shift & 255);
    }
  }
  const unsigned rest = n / 16 * 16 + threadIdx.x;
  if (blockIdx.x == 0 && rest < n) count(in[rest]);
  asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
}
