// SPDX-License-Identifier: Apache-2.0
// cuda::std::popcount, countl_zero, rotl, and bit_cast.
// launch: --kernel bits --grid 1 --block 32 --arg in:u32:32:iota --arg out:u32:128
#include <cuda/std/bit>
__global__ void bits(const unsigned* in, unsigned* out) {
  const unsigned x = in[threadIdx.x] * 2654435761u;
  out[threadIdx.x] = cuda::std::popcount(x);
  out[32 + threadIdx.x] = cuda::std::countl_zero(x);
  out[64 + threadIdx.x] = cuda::std::rotl(x, 7);
  out[96 + threadIdx.x] = cuda::std::bit_cast<unsigned>(static_cast<float>(x));
}
