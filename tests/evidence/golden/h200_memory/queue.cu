// SPDX-License-Identifier: Apache-2.0
// Atomics and stores that a multiprocessor has under way to L2 before its warps wait, and the wait
// of a load behind them.
//
//     nvcc -arch=sm_90 -O3 -o queue queue.cu && ./queue > queue.csv
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                            \
  do {                                                         \
    const cudaError_t error = (call);                          \
    if (error != cudaSuccess) {                                \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
      std::exit(1);                                            \
    }                                                          \
  } while (false)

enum Kind { kSum, kFloatSum, kStore, kScatteredStore, kScatteredSum };
constexpr const char* kNames[] = {"sum", "float_sum", "store", "scattered_store", "scattered_sum"};
constexpr long long kBytes = 3LL << 30;

// Each warp makes `times` requests, and then loads a line that is in L2.
__global__ void issue(unsigned* data, long long* clocks, const unsigned* other, unsigned* sink,
                      Kind kind, int times) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  unsigned* to = data;  // one word for all
  if (kind == kStore) to += static_cast<long long>(warp) * 32 * times + lane;
  if (kind == kScatteredStore) to += (static_cast<long long>(warp) * 32 + lane) * 32 * times;
  if (kind == kScatteredSum) to += (static_cast<long long>(warp) * 32 + lane) * 32;
  __syncthreads();
  const long long begin = clock64();
  if (kind == kSum || kind == kScatteredSum) {
    for (int i = 0; i < times; ++i) atomicAdd(to, 1U);
  } else if (kind == kFloatSum) {
    for (int i = 0; i < times; ++i) atomicAdd(reinterpret_cast<float*>(to), 1.0F);
  } else {
    for (int i = 0; i < times; ++i) to[32 * i] = i;
  }
  const long long issued = clock64();
  const unsigned value = __ldcg(other + warp * 32 + lane);
  if (value == 12345) *sink = value;  // awaits the load
  const long long loaded = clock64();
  if (lane == 0) {
    clocks[2 * warp] = issued - begin;
    clocks[2 * warp + 1] = loaded - issued;
  }
}

int main() {
  unsigned* data = nullptr;
  unsigned* other = nullptr;
  unsigned* sink = nullptr;
  long long* clocks = nullptr;
  CHECK(cudaMalloc(&data, kBytes));
  CHECK(cudaMalloc(&other, 1 << 20));
  CHECK(cudaMalloc(&sink, sizeof *sink));
  CHECK(cudaMalloc(&clocks, 1 << 20));
  CHECK(cudaMemset(data, 0, kBytes));
  std::printf("kind,blocks,warps,times,issue_clocks,load_clocks\n");
  for (const Kind kind : {kSum, kFloatSum, kStore, kScatteredStore, kScatteredSum}) {
    for (const int blocks : {1, 132}) {
      for (const int warps : {1, 8}) {
        for (const int times : {1, 16, 32, 64, 256}) {
          const int all = blocks * warps;
          if (kind == kScatteredStore && 4096LL * all * times > kBytes) continue;
          for (int run = 0; run < 2; ++run) {  // the first one is a warm-up
            CHECK(cudaMemset(other, run, 1 << 20));
            issue<<<blocks, warps * 32>>>(data, clocks, other, sink, kind, times);
            CHECK(cudaDeviceSynchronize());
          }
          std::vector<long long> host(2 * all);
          CHECK(cudaMemcpy(host.data(), clocks, 16LL * all, cudaMemcpyDeviceToHost));
          double issued = 0;
          double loaded = 0;
          for (int w = 0; w < all; ++w) {
            issued += host[2 * w];
            loaded += host[2 * w + 1];
          }
          std::printf("%s,%d,%d,%d,%.0f,%.0f\n", kNames[kind], blocks, warps, times, issued / all,
                      loaded / all);
        }
      }
    }
  }
}
