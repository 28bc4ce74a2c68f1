// SPDX-License-Identifier: Apache-2.0
// Exercise sort/radix: one pass of a radix sort, by 8 bits of the keys.
//
// Input: `in`, `n` keys, from 1 up. The digit of a key is (key >> shift) & 255; `shift` is 0 to 31.
// Output: `out` has the keys in the order of their digits. Keys of one digit keep their order: the
//   pass is stable. Four such passes sort the keys, which is why stability counts.
// Launches, one after the other, with `blocks` = ceil(n / 4096) and `total` = 256 * blocks:
//   count_digits: `blocks` blocks of 256 threads. Block b counts the digits of the keys 4096 b to
//     4096 b + 4095.
//   scan_counts: one block of 1024 threads replaces all counts by the sum of those before them.
//   scatter: `blocks` blocks of 256 threads store their keys.
//   Dynamic shared memory: none. `counts` has `total` words for your own use. Only `out` is
//   compared.
// Allowed: all device code of CUDA C++, cub::BlockScan and cub::BlockRadixSort, too.
// Edit: the bodies of the kernels. Keep their names and their parameters.
//
// The kernels below are right, but a single thread scans the counts, and one thread per block
// stores all its keys one by one. Let all threads work, and let neighbouring threads store
// neighbouring keys. Then run
//   ./warpgrade grade sort/radix

constexpr unsigned kPart = 4096;  // keys of a block

// Counts of one digit are neighbours: the sum of those before a count is where its keys begin.
__global__ void count_digits(unsigned* counts, const unsigned* in, unsigned shift, unsigned n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned first = blockIdx.x * kPart, end = min(first + kPart, n);
  for (unsigned i = first + threadIdx.x; i < end; i += 256) {
    atomicAdd(&bins[in[i] >> shift & 255], 1);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan_counts(unsigned* counts, unsigned total) {
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned i = 0; i < total; ++i) {
    const unsigned count = counts[i];
    counts[i] = sum;
    sum += count;
  }
}

__global__ void scatter(unsigned* out, unsigned* counts, const unsigned* in, unsigned shift,
                        unsigned n) {
  if (threadIdx.x != 0) return;
  const unsigned first = blockIdx.x * kPart, end = min(first + kPart, n);
  for (unsigned i = first; i < end; ++i) {
    const unsigned digit = in[i] >> shift & 255;
    out[counts[digit * gridDim.x + blockIdx.x]++] = in[i];
  }
}
