// SPDX-License-Identifier: Apache-2.0
// One histogram per warp. A function adds the four bytes of a word.
constexpr int kWarps = 8;

__device__ void add_word(unsigned* hist, unsigned data) {
  atomicAdd(hist + ((data >> 0) & 0xFFU), 1);
  atomicAdd(hist + ((data >> 8) & 0xFFU), 1);
  atomicAdd(hist + ((data >> 16) & 0xFFU), 1);
  atomicAdd(hist + ((data >> 24) & 0xFFU), 1);
}

__global__ void histogram(unsigned* bins, const unsigned char* in, unsigned n) {
  __shared__ unsigned hist[kWarps * 256];
  unsigned* warp_hist = hist + (threadIdx.x >> 5) * 256;
#pragma unroll
  for (int i = 0; i < kWarps; i++) hist[threadIdx.x + i * 256] = 0;
  __syncthreads();

  const unsigned* data = (const unsigned*)in;
  unsigned pos = blockIdx.x * blockDim.x + threadIdx.x;
  for (; pos < n / 4; pos += blockDim.x * gridDim.x) add_word(warp_hist, data[pos]);
  if (blockIdx.x == 0 && threadIdx.x < (n & 3)) atomicAdd(warp_hist + in[(n & ~3u) + threadIdx.x], 1);
  __syncthreads();

  unsigned sum = 0;
  for (int i = 0; i < kWarps; i++) sum += hist[threadIdx.x + i * 256];
  atomicAdd(bins + threadIdx.x, sum);
}
