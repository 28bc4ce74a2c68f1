// SPDX-License-Identifier: Apache-2.0
// CUB's block and warp primitives in a kernel, from <cub/cub.cuh>.
// left out: main
#include <cub/cub.cuh>
#include <cstdio>

template <int Threads>
__device__ int block_total(int value) {
  using Reduce = cub::BlockReduce<int, Threads>;
  __shared__ typename Reduce::TempStorage storage;
  return Reduce(storage).Sum(value);
}

__global__ void totals(const int* in, int* out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  int total = block_total<128>(i < n ? in[i] : 0);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

__global__ void prefix(int* data) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage;
  int value = data[threadIdx.x];
  Scan(storage).InclusiveSum(value, value);
  data[threadIdx.x] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  totals<<<8, 128>>>(in, out, 1024);
  prefix<<<1, 32>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
