// SPDX-License-Identifier: Apache-2.0
// A scan with several launches from a recursive host function.
// left out: scan_level, inclusive_scan
#include <vector>
constexpr unsigned kThreads = 256;
__global__ void scan_blocks(int* data, int* sums, unsigned n) {
  __shared__ int s[2][kThreads];
  unsigned i = blockIdx.x * kThreads + threadIdx.x, in = 0;
  s[0][threadIdx.x] = i < n ? data[i] : 0;
  __syncthreads();
  for (unsigned d = 1; d < kThreads; d *= 2, in ^= 1) {
    s[in ^ 1][threadIdx.x] = s[in][threadIdx.x] + (threadIdx.x >= d ? s[in][threadIdx.x - d] : 0);
    __syncthreads();
  }
  if (i < n) data[i] = s[in][threadIdx.x];
  if (threadIdx.x == kThreads - 1 && sums) sums[blockIdx.x] = s[in][threadIdx.x];
}
__global__ void add_sums(int* data, const int* sums, unsigned n) {
  unsigned i = (blockIdx.x + 1) * kThreads + threadIdx.x;
  if (i < n) data[i] += sums[blockIdx.x];
}
static void scan_level(int* data, unsigned n, std::vector<int*>& scratch, unsigned level) {
  unsigned blocks = (n + kThreads - 1) / kThreads;
  scan_blocks<<<blocks, kThreads>>>(data, blocks > 1 ? scratch[level] : nullptr, n);
  if (blocks == 1) return;
  scan_level(scratch[level], blocks, scratch, level + 1);
  add_sums<<<blocks - 1, kThreads>>>(data, scratch[level], n);
}
void inclusive_scan(int* data, unsigned n) {
  std::vector<int*> scratch;
  for (unsigned m = n; m > 1; m = (m + kThreads - 1) / kThreads) {
    scratch.push_back(nullptr);
    cudaMalloc(&scratch.back(), m / kThreads * sizeof(int) + 4);
  }
  scan_level(data, n, scratch, 0);
  for (int* p : scratch) cudaFree(p);
}
