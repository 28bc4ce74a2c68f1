// SPDX-License-Identifier: Apache-2.0
// Passes over data that L2 holds, after other passes. How many sectors cross between its halves?
//
//     nvcc -O3 -arch=sm_90 -std=c++17 crossing.cu -o crossing && ./crossing
//     ncu --profile-from-start off --cache-control none --clock-control none --metrics ... ./crossing
//
// Prints the case, the megabytes of a buffer, and the median of 15 times in microseconds between
// two events. Before each time 256 MB are written, then the kernels of the case.
#include <cuda_profiler_api.h>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void copy(float4* out, const float4* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void read(float4* out, const float4* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  if (v.x + v.y + v.z + v.w == 1234.5f) out[0] = v;
}

__global__ void add(float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = out[i];
  v.x += 1;
  v.y += 2;
  out[i] = v;
}

__global__ void write(float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {1, 2, 3, 4};
}

float* a;
float* b;

template <class Before, class Launch>
void timed(const char* what, int megabytes, Before before, Launch launch) {
  std::vector<float> all;
  cudaEvent_t begin;
  cudaEvent_t end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int r = 0; r < 15; ++r) {
    cudaMemset(b, 0, 256 << 20);
    before();
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaDeviceSynchronize();
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    all.push_back(milliseconds * 1e3F);
  }
  std::sort(all.begin(), all.end());
  cudaMemset(b, 0, 256 << 20);
  before();
  cudaDeviceSynchronize();
  cudaProfilerStart();
  launch();
  cudaDeviceSynchronize();
  cudaProfilerStop();
  printf("%s,%d,%.2f\n", what, megabytes, all[7]);
}

int main() {
  cudaMalloc(&a, 1 << 30);
  cudaMalloc(&b, 1 << 30);
  cudaMemset(a, 0, 1 << 30);
  for (int megabytes : {4, 8, 16, 24, 32}) {
    const int n = megabytes << 16;
    const int g = n / 256;
    float4* in = reinterpret_cast<float4*>(a);
    float4* out = in + n;
    const auto reads = [&] { read<<<g, 256>>>(out + n, in, n); };
    const auto writes = [&] { write<<<g, 256>>>(in, n); };
    const auto adds = [&] { add<<<g, 256>>>(in, n); };
    const auto copies = [&] { copy<<<g, 256>>>(out, in, n); };
    const auto nothing = [] {};
    const auto twice = [](auto launch) {
      return [=] {
        launch();
        launch();
      };
    };
    timed("read after reads", megabytes, twice(reads), reads);
    timed("read after writes", megabytes, twice(writes), reads);
    timed("copy after reads", megabytes, twice(reads), copies);
    timed("copy after writes", megabytes, twice(writes), copies);
    timed("add after writes", megabytes, twice(writes), adds);
    timed("add after reads", megabytes, twice(reads), adds);
    timed("write after writes", megabytes, twice(writes), writes);
    timed("add from DRAM", megabytes, nothing, adds);
    timed("read from DRAM", megabytes, nothing, reads);
  }
}
