// SPDX-License-Identifier: Apache-2.0
// Stores that write only part of each line, and strided loads.
//
//     nvcc -O3 -arch=sm_90 lines.cu -o lines
//     ./lines strides                                   microseconds, after a write of 256 MB
//     ncu --profile-from-start off --metrics ... ./lines stores
#include <cuda_profiler_api.h>

#include <cstdio>
#include <cstring>

// Writes `words` words in each of `sectors` sectors of every line of the buffer.
__global__ void parts(float* out, int sectors, int words, int lines, int passes) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int warps = gridDim.x * blockDim.x / 32;
  const int once = 32 / (sectors * words);  // lines per store
  const int line = lane / (sectors * words);
  const int sector = lane / words % sectors;
  for (int p = 0; p < passes; ++p) {
    for (int first = warp * once; first < lines; first += warps * once) {
      out[(first + line) * 32 + sector * 8 + lane % words] = p;
    }
  }
}

// Each thread stores `words` adjacent words, one at a time.
__global__ void side_by_side(float* out, int words, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * words;
#pragma unroll 1
  for (int k = 0; k < words; ++k) {
    if (first + k < n) out[first + k] = k;
  }
}

// Stores to random places within windows of 2^bits words.
__global__ void scattered(float* out, int bits) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = (1U << bits) - 1;
  unsigned place = i & mask;
  for (int r = 0; r < 3; ++r) {
    place = (place * 0x9e3779b1U + 0x7f4a7c15U) & mask;
    place ^= place >> bits / 2;
  }
  out[(i & ~mask) + place] = i;
}

__global__ void load_strided(float* out, const float* in, int stride, int n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i * stride < n) out[i] = in[i * stride];
}

float* a;
float* b;

template <class Launch>
void counted(Launch launch) {
  launch();
  cudaDeviceSynchronize();
  cudaProfilerStart();
  launch();
  cudaDeviceSynchronize();
  cudaProfilerStop();
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  cudaMalloc(&a, 1 << 30);
  cudaMalloc(&b, 1 << 30);
  cudaMemset(b, 0, 1 << 30);
  if (strcmp(what, "stores") == 0) {
    const int lines = 16 << 13;
    const int forms[][2] = {{4, 1}, {4, 8}, {2, 1}, {1, 1}, {1, 2}, {1, 8}};
    for (const auto& form : forms) {
      counted([&] { parts<<<1056, 256>>>(a, form[0], form[1], lines, 4); });
    }
    for (const int words : {4, 8, 16}) {
      const int n = 1 << 25;
      counted([&] { side_by_side<<<n / words / 256, 256>>>(a, words, n); });
    }
    for (const int bits : {10, 14}) counted([&] { scattered<<<1 << 18, 256>>>(a, bits); });
  } else {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    const int n = 1 << 27;
    for (int stride = 1; stride <= 512; stride *= 2) {
      float best = 1e9;
      for (int i = 0; i < 7; ++i) {
        float ms = 0;
        cudaMemset(a + (1 << 27), i, 256 << 20);
        cudaEventRecord(begin);
        load_strided<<<(n / stride + 255) / 256, 256>>>(a, b, stride, n);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        best = ms < best ? ms : best;
      }
      printf("%d,%.1f\n", stride, best * 1e3);
    }
  }
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
