// SPDX-License-Identifier: Apache-2.0
// Exercise sort/compact: the keys that are large enough, without gaps.
//
// Input: `in`, `n` distinct keys, from 1 up. `*count` is 0.
// Output: block b keeps those of its keys in[1024 b] to in[1024 b + 1023] that are at least
// `least`,
//   and stores them to neighbouring elements of `out`, in their order: a piece. The pieces are in
//   any order, without gaps, from out[0] on. `*count` becomes the number of all kept keys. Elements
//   of `out` behind them are not compared.
// Launch: ceil(n / 1024) blocks of 256 threads, no dynamic shared memory.
// Allowed: all device code of CUDA C++, cub::BlockScan, too.
// Edit: the body of the kernel. Keep its name and its parameters.
//
// The kernel below is right. Each thread has four neighbouring keys, so a warp loads and stores
// every fourth word, and a scan of 256 counts needs 16 barriers. Let ballots count. Then run
//   ./warpgrade grade sort/compact

constexpr unsigned kPart = 1024;    // keys of a block
constexpr unsigned kThreads = 256;  // blockDim.x

__global__ void compact(unsigned* out, unsigned* count, const unsigned* in, unsigned least,
                        unsigned n) {
  __shared__ unsigned counts[kThreads], begin;

  const unsigned t = threadIdx.x, first = blockIdx.x * kPart + 4 * t;
  unsigned kept = 0;
  for (unsigned i = first; i < first + 4 && i < n; ++i) {
    if (in[i] >= least) ++kept;
  }
  counts[t] = kept;
  __syncthreads();
  for (unsigned step = 1; step < kThreads; step *= 2) {
    const unsigned left = t >= step ? counts[t - step] : 0;
    __syncthreads();
    counts[t] += left;
    __syncthreads();
  }
  if (t == 0) begin = atomicAdd(count, counts[kThreads - 1]);
  __syncthreads();
  unsigned to = begin + counts[t] - kept;
  for (unsigned i = first; i < first + 4 && i < n; ++i) {
    if (in[i] >= least) out[to++] = in[i];
  }
}
