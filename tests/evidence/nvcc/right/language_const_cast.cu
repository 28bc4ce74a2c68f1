// SPDX-License-Identifier: Apache-2.0
// const_cast, reinterpret_cast and pointer arithmetic over bytes.
// launch: --kernel bytes --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:32
__global__ void bytes(const unsigned* in, unsigned* out) {
  const unsigned char* p = reinterpret_cast<const unsigned char*>(in) + 4 * threadIdx.x;
  unsigned* q = const_cast<unsigned*>(in);
  out[threadIdx.x] = p[0] * 3 + p[1] + static_cast<unsigned>(reinterpret_cast<const unsigned*>(p) - q);
}
