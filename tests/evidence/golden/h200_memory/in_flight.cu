// SPDX-License-Identifier: Apache-2.0
// A warp loads a line that another warp of its block has asked for some clocks before. When does it
// get the line?
//
//     nvcc -O3 -arch=sm_90 -std=c++17 in_flight.cu -o in_flight && ./in_flight > in_flight.csv
//
// L2 has all lines, L1 none of them. Clocks are medians over 1,001 lines.
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kLines = 1001;

// clocks: of the first warp's load and of the second one's, by line.
__global__ void in_flight(const float* in, int* clocks, float* sink, int delay) {
  const int warp = threadIdx.x / 32;
  float sum = 0;
  for (int i = 0; i < kLines; ++i) {
    const float* line = in + i * 32 + threadIdx.x % 32;
    __syncthreads();
    const int begin = clock();
    if (warp == 1) {
      while (static_cast<int>(clock()) - begin < delay) {
      }
    }
    const int asked = clock();
    float v;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(line) : "memory");
    sum += v;
    asm volatile("" ::"f"(sum) : "memory");
    const int got = clock();
    if (threadIdx.x % 32 == 0) {
      clocks[i * 4 + warp * 2] = asked - begin;
      clocks[i * 4 + warp * 2 + 1] = got - begin;
    }
  }
  sink[threadIdx.x] = sum;
}

__global__ void touch(const float* in, float* sink) {
  float sum = 0;
  for (int i = threadIdx.x; i < kLines * 32; i += blockDim.x) sum += __ldcg(in + i);
  sink[threadIdx.x] = sum;
}

int main() {
  float* in;
  float* sink;
  int* clocks;
  cudaMalloc(&in, kLines * 128);
  cudaMalloc(&sink, 4096);
  cudaMallocManaged(&clocks, kLines * 16);
  cudaMemset(in, 0, kLines * 128);
  cudaDeviceProp p;
  int driver;
  cudaGetDeviceProperties(&p, 0);
  cudaDriverGetVersion(&driver);
  printf("# %s, CUDA driver %d: in_flight.cu. Clocks from the barrier on.\n", p.name, driver);
  printf("first_asks,first_has,second_asks,second_has\n");
  for (const int delay : {0, 50, 100, 150, 200, 250, 300, 400, 600}) {
    touch<<<1, 256>>>(in, sink);
    in_flight<<<1, 64>>>(in, clocks, sink, delay);
    cudaDeviceSynchronize();
    for (int k = 0; k < 4; ++k) {
      std::vector<int> all;
      for (int i = 0; i < kLines; ++i) all.push_back(clocks[i * 4 + k]);
      std::nth_element(all.begin(), all.begin() + kLines / 2, all.end());
      printf("%d%c", all[kLines / 2], k == 3 ? '\n' : ',');
    }
  }
}
