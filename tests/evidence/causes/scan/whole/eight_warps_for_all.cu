// SPDX-License-Identifier: Apache-2.0
// cause: out_of_bounds|wrong_index line=16
// says: scan_totals has 32 warps, but its array sums has only eight words, as in scan_blocks.
// never: barrier
template <int Warps>
struct Scan {
  unsigned* sums;

  // Inclusive sum over the block's threads.
  __device__ unsigned operator()(unsigned v) const {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned step = 1; step < 32; step *= 2) {
      const unsigned left = __shfl_up_sync(~0u, v, step);
      if (lane >= step) v += left;
    }
    if (lane == 31) sums[warp] = v;
    __syncthreads();
    for (unsigned w = 0; w < warp; ++w) v += sums[w];
    return v;
  }
};

__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned sums[8];
  const unsigned first = blockIdx.x * 1024 + threadIdx.x * 4;
  unsigned own[4], sum = 0;
  for (int k = 0; k < 4; ++k) own[k] = sum += first + k < n ? in[first + k] : 0;
  const unsigned through = Scan<8>{sums}(sum);
  for (int k = 0; k < 4; ++k)
    if (first + k < n) out[first + k] = through - sum + own[k];
  if (threadIdx.x == 255) totals[blockIdx.x] = through;
}

__global__ void scan_totals(unsigned* totals, unsigned blocks) {
  __shared__ unsigned sums[8];
  const unsigned piece = (blocks + 1023) / 1024, first = threadIdx.x * piece;
  unsigned sum = 0;
  for (unsigned b = first; b < min(first + piece, blocks); ++b) sum += totals[b];
  unsigned before = Scan<8>{sums}(sum) - sum;
  for (unsigned b = first; b < min(first + piece, blocks); ++b) totals[b] = before += totals[b];
}

__global__ void add_totals(unsigned* out, const unsigned* totals, unsigned n) {
  if (blockIdx.x == 0) return;
  for (unsigned i = blockIdx.x * 1024 + threadIdx.x; i < min(n, blockIdx.x * 1024 + 1024); i += 256)
    out[i] += totals[blockIdx.x - 1];
}
