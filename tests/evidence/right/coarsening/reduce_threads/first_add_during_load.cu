// SPDX-License-Identifier: Apache-2.0
// Follows Mark Harris's slides: adds while loading, in a strided loop, and unrolls the tree. The
// last warp uses volatile accesses and __syncwarp.
template <unsigned int blockSize>
__device__ void warpReduce(volatile float *sdata, unsigned int tid) {
  float v = sdata[tid];
  if (blockSize >= 64) { v += sdata[tid + 32]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
  v += sdata[tid + 16]; __syncwarp(); sdata[tid] = v; __syncwarp();
  v += sdata[tid + 8]; __syncwarp(); sdata[tid] = v; __syncwarp();
  v += sdata[tid + 4]; __syncwarp(); sdata[tid] = v; __syncwarp();
  v += sdata[tid + 2]; __syncwarp(); sdata[tid] = v; __syncwarp();
  v += sdata[tid + 1]; __syncwarp(); sdata[tid] = v;
}

template <int Factor>
__global__ void reduce_threads(float *g_odata, const float *g_idata, unsigned int n) {
  extern __shared__ float sdata[];
  const unsigned int blockSize = 512 / Factor;
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * 512 + tid;
  unsigned int end = min(n, (blockIdx.x + 1) * 512);
  float mySum = 0;
  while (i < end) { mySum += g_idata[i]; i += blockSize; }
  sdata[tid] = mySum;
  if (blockSize == 32) sdata[32 + tid] = 0;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
  if (tid < 32) warpReduce<blockSize>(sdata, tid);
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
