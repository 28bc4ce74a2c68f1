// SPDX-License-Identifier: Apache-2.0
// Stores of a warp to the same lines, one after the other: when does L1 send their sectors once?
//
//     nvcc -O3 -arch=sm_90 -std=c++17 merges.cu -o merges
//     ncu --profile-from-start off --cache-control none --clock-control none --metrics ... ./merges
//
// Prints the name of each launch, in the order of Nsight Compute's rows. Stores are volatile, so
// that the compiler keeps each of them.
#include <cuda_profiler_api.h>

#include <cstdio>

constexpr int kWords = 1 << 24;
float* a;
float* b;

// Each thread stores W adjacent words one by one, with `kGap` multiply-adds in between.
template <int W, int kGap>
__global__ void straight(float* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * W;
  float v = threadIdx.x;
  if (first >= n) return;
#pragma unroll
  for (int k = 0; k < W; ++k) {
    *(volatile float*)(out + first + k) = v;
#pragma unroll
    for (int g = 0; g < kGap; ++g) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v));
  }
}

// The same in a loop that stays one.
template <int W>
__global__ void looped(float* out, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * W;
  if (first >= n) return;
#pragma unroll 1
  for (int k = 0; k < W; ++k) out[first + k] = k;
}

// Loads W adjacent words, then stores them.
template <int W>
__global__ void aos(float* out, const float* in, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * W;
  if (first >= n) return;
  float k[W];
#pragma unroll
  for (int j = 0; j < W; ++j) k[j] = in[first + j];
#pragma unroll
  for (int j = 0; j < W; ++j) *(volatile float*)(out + first + j) = k[j] + 1;
}

// Stores W adjacent words, by one block of few warps on each multiprocessor.
template <int W>
__global__ void lone(float* out, int pieces) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  for (int p = warp; p < pieces; p += warps) {
    const int first = (p * 32 + threadIdx.x % 32) * W;
#pragma unroll
    for (int k = 0; k < W; ++k) *(volatile float*)(out + first + k) = k;
  }
}

template <class Launch>
void counted(const char* what, int words, int more, Launch launch) {
  launch();
  cudaDeviceSynchronize();
  cudaProfilerStart();
  launch();
  cudaDeviceSynchronize();
  cudaProfilerStop();
  printf("%s,%d,%d\n", what, words, more);
}

template <int W>
void all_of() {
  const int n = kWords / 256 / W * 256 * W;
  const int blocks = n / W / 256;
  counted("straight", W, 0, [&] { straight<W, 0><<<blocks, 256>>>(a, n); });
  counted("straight", W, 4, [&] { straight<W, 4><<<blocks, 256>>>(a, n); });
  counted("straight", W, 8, [&] { straight<W, 8><<<blocks, 256>>>(a, n); });
  counted("straight", W, 16, [&] { straight<W, 16><<<blocks, 256>>>(a, n); });
  counted("aos", W, 0, [&] { aos<W><<<blocks, 256>>>(a, b, n); });
  counted("looped", W, 0, [&] { looped<W><<<blocks, 256>>>(a, n); });
  counted("lone", W, 1, [&] { lone<W><<<132, 32>>>(a, 1 << 15); });
  counted("lone", W, 4, [&] { lone<W><<<132, 128>>>(a, 1 << 15); });
}

int main() {
  cudaMalloc(&a, 1 << 30);
  cudaMalloc(&b, 1 << 30);
  cudaMemset(b, 0, 1 << 30);
  all_of<2>();
  all_of<3>();
  all_of<4>();
  all_of<5>();
  all_of<6>();
  all_of<7>();
  all_of<8>();
  all_of<12>();
  all_of<16>();
}
