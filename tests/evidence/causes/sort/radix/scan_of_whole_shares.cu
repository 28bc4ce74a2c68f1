// SPDX-License-Identifier: Apache-2.0
// cause: missing_edge|wrong_guard|wrong_operation line=18
// says: The share of a thread is rounded down: up to 1,023 counts at the end are not scanned.
__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bin[256];
  bin[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 4096; k += 256) {
    const unsigned i = blockIdx.x * 4096 + k;
    if (i < n) atomicAdd(bin + (in[i] >> shift & 255), 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bin[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  __shared__ unsigned sums[1024];
  const unsigned t = threadIdx.x, share = total / 1024;
  const unsigned first = min(t * share, total), last = min(first + share, total);
  unsigned own = 0;
  for (unsigned i = first; i < last; ++i) own += counts[i];
  sums[t] = own;
  __syncthreads();
  for (unsigned d = 1; d < 1024; d *= 2) {
    const unsigned left = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  unsigned before = sums[t] - own;
  for (unsigned i = first; i < last; ++i) {
    const unsigned c = counts[i];
    counts[i] = before;
    before += c;
  }
}

// One warp: 32 keys at a time, in order.
__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  __shared__ unsigned next[256];
  next[threadIdx.x] = counts[threadIdx.x * gridDim.x + blockIdx.x];
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const unsigned lane = threadIdx.x;
  for (unsigned k = 0; k < 4096; k += 32) {
    const unsigned i = blockIdx.x * 4096 + k + lane;
    const unsigned key = i < n ? in[i] : 0;
    const unsigned digit = i < n ? key >> shift & 255 : 256;
    const unsigned peers = __match_any_sync(~0u, digit);
    const unsigned rank = __popc(peers & ((1u << lane) - 1));
    if (digit < 256) out[next[digit] + rank] = key;
    __syncwarp();
    if (digit < 256 && rank == 0) next[digit] += __popc(peers);
    __syncwarp();
  }
}
