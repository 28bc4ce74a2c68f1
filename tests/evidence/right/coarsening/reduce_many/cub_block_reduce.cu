// SPDX-License-Identifier: Apache-2.0
// cub::BlockReduce needs the block size at compile time, so a switch selects one per power of two.
#include <cub/block/block_reduce.cuh>

template <int Threads>
__device__ void finish(float* partial, float sum) {
  using Reduce = cub::BlockReduce<float, Threads>;
  __shared__ typename Reduce::TempStorage storage;
  sum = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void reduce_many(float* partial, const float* in, unsigned n) {
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* words = reinterpret_cast<const float4*>(in);
  float sum = i < n % 4 ? in[n - 1 - i] : 0.0f;
  for (; i < n / 4; i += threads) {
    const float4 v = words[i];
    sum += v.x + v.y + v.z + v.w;
  }
  switch (blockDim.x) {
    case 64: finish<64>(partial, sum); break;
    case 128: finish<128>(partial, sum); break;
    case 256: finish<256>(partial, sum); break;
    case 512: finish<512>(partial, sum); break;
    default: finish<1024>(partial, sum);
  }
}
