// SPDX-License-Identifier: Apache-2.0
// cause: swapped_indices line=17
// says: The counts lie block by block, so the scan puts all keys of block 0 before those of block 1; they must lie digit by digit, with the blocks of each digit side by side.
constexpr unsigned kPart = 4096, kThreads = 256;

__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[256];
  const unsigned t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
#pragma unroll 4
  for (unsigned k = 0; k < kPart; k += kThreads) {
    const unsigned i = blockIdx.x * kPart + k + t;
    if (i < n) atomicAdd(&bins[in[i] >> shift & 255], 1u);
  }
  __syncthreads();
  counts[blockIdx.x * 256 + t] = bins[t];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  __shared__ unsigned of_warp[32];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned before = 0;
  for (unsigned begin = 0; begin < total; begin += 1024) {
    const unsigned i = begin + t;
    const unsigned own = i < total ? counts[i] : 0;
    unsigned upto = own;
    for (unsigned d = 1; d < 32; d *= 2) {
      const unsigned left = __shfl_up_sync(0xffffffffu, upto, d);
      if (lane >= d) upto += left;
    }
    if (lane == 31) of_warp[warp] = upto;
    __syncthreads();
    unsigned all = 0, earlier = 0;
    for (unsigned w = 0; w < 32; ++w) {
      if (w == warp) earlier = all;
      all += of_warp[w];
    }
    if (i < total) counts[i] = before + earlier + upto - own;
    before += all;
    __syncthreads();
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned place[8][256];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned begin = blockIdx.x * kPart + warp * 512;  // a warp has 512 neighbouring keys
  for (unsigned w = 0; w < 8; ++w) place[w][t] = 0;
  __syncthreads();
  for (unsigned k = 0; k < 512; k += 32) {
    const unsigned i = begin + k + lane;
    if (i < n) atomicAdd(&place[warp][in[i] >> shift & 255], 1u);
  }
  __syncthreads();
  unsigned to = counts[blockIdx.x * 256 + t];
  for (unsigned w = 0; w < 8; ++w) {
    const unsigned size = place[w][t];
    place[w][t] = to;
    to += size;
  }
  __syncthreads();
  for (unsigned k = 0; k < 512; k += 32) {
    const unsigned i = begin + k + lane;
    const unsigned key = i < n ? in[i] : 0, digit = i < n ? key >> shift & 255 : 256;
    const unsigned same = __match_any_sync(0xffffffffu, digit);
    const unsigned rank = __popc(same & ((1u << lane) - 1));
    if (i < n) out[place[warp][digit] + rank] = key;
    __syncwarp();
    if (i < n && rank == 0) place[warp][digit] += __popc(same);
    __syncwarp();
  }
}
