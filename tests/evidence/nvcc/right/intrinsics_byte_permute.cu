// SPDX-License-Identifier: Apache-2.0
// __byte_perm, __funnelshift_l and __funnelshift_r with clamping.
// launch: --kernel shifted --grid 1 --block 32 --arg out:u32:32
__global__ void shifted(unsigned* out) {
  const unsigned x = threadIdx.x * 0x9e3779b9u, y = ~x;
  out[threadIdx.x] = __byte_perm(x, y, 0x2716) ^ __funnelshift_l(x, y, threadIdx.x) ^ __funnelshift_r(x, y, 40) ^ __funnelshift_rc(x, y, 40);
}
