// SPDX-License-Identifier: Apache-2.0
// A Brent-Kung tree over all 1,024 elements, up and then down, with one word of padding per 32.
#define PADDED(i) ((i) + ((i) >> 5))
__global__ void scan_blocks(unsigned* out, unsigned* totals, const unsigned* in, unsigned n) {
  __shared__ unsigned T[PADDED(1024)];
  const unsigned start = blockIdx.x * 1024;
  for (unsigned i = threadIdx.x; i < 1024; i += 256) {
    T[PADDED(i)] = start + i < n ? in[start + i] : 0;
  }
  __syncthreads();
  for (unsigned stride = 1; stride < 1024; stride *= 2) {
    for (unsigned i = (threadIdx.x + 1) * 2 * stride - 1; i < 1024; i += 512 * stride) {
      T[PADDED(i)] += T[PADDED(i - stride)];
    }
    __syncthreads();
  }
  for (unsigned stride = 256; stride > 0; stride /= 2) {
    for (unsigned i = (threadIdx.x + 1) * 2 * stride - 1; i + stride < 1024; i += 512 * stride) {
      T[PADDED(i + stride)] += T[PADDED(i)];
    }
    __syncthreads();
  }
  for (unsigned i = threadIdx.x; i < 1024 && start + i < n; i += 256) out[start + i] = T[PADDED(i)];
  if (threadIdx.x == 0) totals[blockIdx.x] = T[PADDED(1023)];
}
