// SPDX-License-Identifier: Apache-2.0
// Exercise coarsening/reduce_many, solved: a grid stride, four 16-byte loads in flight, one tree a
// block.
//
// All threads of the grid walk through the array side by side: in each pass they take neighbouring
// words, so that every request is coalesced. The tree in shared memory, with its barriers, is
// paid once a block and not once for 512 elements: with n far above the number of threads it costs
// nothing.
//
// A loop of single loads would wait for each before it adds it: one load in flight a warp. So the
// loop takes four passes at once, whose loads are independent, and four elements with each load:
// few threads then have enough bytes under way. What is left is done one by one.

constexpr unsigned kMostThreads = 1024;
constexpr unsigned kInFlight = 4;

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  __shared__ float sums[kMostThreads];

  const float4* words = reinterpret_cast<const float4*>(in);
  const unsigned count = n / 4;  // of words
  const unsigned threads = gridDim.x * blockDim.x;
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  unsigned i = first;
  // count - i, not i + ..., which could pass 2^32.
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
