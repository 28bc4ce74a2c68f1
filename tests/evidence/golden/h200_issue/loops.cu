// SPDX-License-Identifier: Apache-2.0
// Arithmetic loops executed by all warps of an SM, and chains of shared memory loads with bank
// conflicts. Prints one row per measurement.
//
//     nvcc -O3 -arch=sm_90 loops.cu -o loops; ./loops >> issue.csv
#include <cstdio>

struct DoubleFma {
  static __device__ double f(double v) { return v * 0.75 + 0.25; }
};
struct DoubleDivide {
  static __device__ double f(double v) { return 1.5 / (v + 0.5); }
};
struct DoubleRsqrt {
  static __device__ double f(double v) { return rsqrt(v + 1.0); }
};
struct DivSeven {
  static __device__ unsigned f(unsigned v) { return v / 7 + 0x7fffffffU; }
};
struct Xorshift {
  static __device__ unsigned f(unsigned v) {
    v ^= v << 13;
    v ^= v >> 17;
    return v ^ (v << 5);
  }
};

template <class Op, class T>
__global__ void chain(long long* clocks, T* out, int steps) {
  T v = static_cast<T>(threadIdx.x + 1);
  __syncthreads();
  const long long begin = clock64();
  for (int s = 0; s < steps; ++s) v = Op::f(v);
  __syncthreads();
  const long long end = clock64();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
  if (threadIdx.x == 0) clocks[blockIdx.x] = end - begin;
}

// Lanes are `stride` words apart: `stride`-way conflicts for powers of two.
__global__ void chase(long long* clocks, unsigned* out, int stride, int steps) {
  __shared__ unsigned words[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 0;
  __syncthreads();
  unsigned at = threadIdx.x % 32 * stride % 1024;
  const long long begin = clock64();
  for (int s = 0; s < steps; ++s) at = (at + words[at] + 32) & 1023;
  const long long end = clock64();
  out[threadIdx.x] = at;
  if (threadIdx.x == 0) clocks[0] = end - begin;
}

long long* clocks;
void* out;

// Clocks of 1024 steps minus those of 256; runs twice, as the first warms the instruction cache.
template <class Launch>
double per_step(Launch launch) {
  long long got[2];
  for (int i = 0; i < 4; ++i) {
    launch(i % 2 == 0 ? 256 : 1024);
    cudaMemcpy(&got[i % 2], clocks, 8, cudaMemcpyDeviceToHost);
  }
  return (got[1] - got[0]) / 768.0;
}

template <class Op, class T>
void loop(const char* name) {
  for (const int warps : {16, 32}) {
    const double all = per_step(
        [&](int steps) { chain<Op, T><<<1, 32 * warps>>>(clocks, static_cast<T*>(out), steps); });
    printf("loop by %d warps a scheduler,%s,%.3f\n", warps / 4, name, all / (warps / 4));
  }
}

int main() {
  cudaMalloc(&clocks, 1024);
  cudaMalloc(&out, 1 << 20);
  loop<DoubleFma, double>("fma.f64");
  loop<DoubleDivide, double>("div.f64");
  loop<DoubleRsqrt, double>("rsqrt.f64");
  loop<DivSeven, unsigned>("div.u32 by 7");
  loop<Xorshift, unsigned>("xorshift");
  for (int ways = 1; ways <= 32; ways *= 2) {
    const double step = per_step(
        [&](int steps) { chase<<<1, 32>>>(clocks, static_cast<unsigned*>(out), ways, steps); });
    printf("chain of shared loads by ways,%d,%.2f\n", ways, step);
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
