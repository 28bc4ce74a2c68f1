// SPDX-License-Identifier: Apache-2.0
// cause: wrong_guard line=20
// says: Behind the end of the array the key is 0, and 0 is kept if least is 0: the condition must also ask for i < n.
constexpr unsigned kPart = 1024;

__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned sizes[32];
  __shared__ unsigned start;
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;

  unsigned key[4], votes[4];
#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned i = blockIdx.x * kPart + r * 256 + t;
    key[r] = i < n ? in[i] : 0;
  }
#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    votes[r] = __ballot_sync(0xffffffffu, key[r] >= least);
    if (lane == 0) sizes[r * 8 + warp] = __popc(votes[r]);
  }
  __syncthreads();

  if (warp == 0) {
    const unsigned size = sizes[lane];
    unsigned upto = size;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffffu, upto, d);
      if (lane >= d) upto += left;
    }
    sizes[lane] = upto - size;
    if (lane == 31) start = atomicAdd(count, upto);
  }
  __syncthreads();

#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    if ((votes[r] >> lane & 1) == 0) continue;
    const unsigned rank = __popc(votes[r] & ((1u << lane) - 1));
    out[start + sizes[r * 8 + warp] + rank] = key[r];
  }
}
