// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_many, solved: a grid-stride loop, four 16-byte loads in flight, one
// tree per block.
//
// All threads of the grid walk through the array side by side. In each iteration they load
// neighbouring words, so every request is coalesced. A block pays for the tree in shared memory and
// its barriers once, not once per 512 elements. If n is far above the number of threads, that cost
// is negligible.
//
// A loop of single loads would wait for each value before adding it: one load in flight per warp.
// So each iteration issues four independent loads of four elements. A few threads then have enough
// bytes in flight. The remaining elements are added one by one.

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kInFlight = 4;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const float4* words = reinterpret_cast<const float4*>(in);
  const unsigned count = n / 4;  // 16-byte words
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  unsigned i = first;
  // Compares count - i, because i + 3 * threads could exceed 2^32.
  for (; i < count && count - i > (kInFlight - 1) * threads; i += kInFlight * threads) {
    float4 value[kInFlight];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) value[k] = words[i + k * threads];
#pragma unroll
    for (unsigned k = 0; k < kInFlight; ++k) {
      sum += (value[k].x + value[k].y) + (value[k].z + value[k].w);
    }
  }
  for (; i < count; i += threads) {
    const float4 value = words[i];
    sum += (value.x + value.y) + (value.z + value.w);
  }
  for (i = 4 * count + first; i < n; i += threads) sum += in[i];

  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}
