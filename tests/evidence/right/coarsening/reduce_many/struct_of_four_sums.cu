// SPDX-License-Identifier: Apache-2.0
// A struct holds four independent sums; warps reduce with shuffles.
struct Four {
  float4 s;
  __device__ Four() : s(make_float4(0, 0, 0, 0)) {}
  __device__ void add(const float4& v) {
    s.x += v.x;
    s.y += v.y;
    s.z += v.z;
    s.w += v.w;
  }
  __device__ float total() const { return (s.x + s.y) + (s.z + s.w); }
};

__device__ float over_warp(float v) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes >>= 1) v += __shfl_xor_sync(0xffffffffu, v, lanes);
  return v;
}

__global__ void reduce_many(float* partial, const float* __restrict__ in, unsigned n) {
  __shared__ float of_warp[32];
  Four sums;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 2
  for (unsigned i = thread; i < n >> 2; i += threads)
    sums.add(reinterpret_cast<const float4*>(in)[i]);
  float total = sums.total();
  if (thread < (n & 3)) total += in[(n & ~3u) + thread];
  total = over_warp(total);
  if ((threadIdx.x & 31) == 0) of_warp[threadIdx.x >> 5] = total;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (unsigned w = 0; w < blockDim.x >> 5; ++w) all += of_warp[w];
    partial[blockIdx.x] = all;
  }
}
