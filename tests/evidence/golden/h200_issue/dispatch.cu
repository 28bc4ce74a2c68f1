// SPDX-License-Identifier: Apache-2.0
// How long products of 64 bits and global loads hold a scheduler. All warps of the card run a loop
// of IMAD.WIDE, LDG that hit L1, FFMA and IMAD. Prints clocks per pass, warp and scheduler; the
// names have the instructions of a pass (cuobjdump -sass), without the loop's own five or six.
//
//     nvcc -O3 -arch=sm_90 dispatch.cu -o dispatch; (echo what,clocks; ./dispatch) > dispatch.csv
#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kPasses = 2000;
constexpr int kThreads = 256;
constexpr int kBlocks = 132 * 8;
constexpr int kSchedulers = 4;

// 8 * Wide IMAD.WIDE, each with an IADD3, and 8 * Floats FFMA.
template <int Wide, int Floats>
__global__ void products(long long* clocks, long long* out, unsigned p, float f) {
  unsigned long long d[4];
  float v[4];
  for (int c = 0; c < 4; ++c) {
    d[c] = 4 * threadIdx.x + c;
    v[c] = threadIdx.x * f + c;
  }
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int r = 0; r < kPasses; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      if constexpr (Wide != 0) d[u % 4] = static_cast<unsigned>(d[u % 4]) * 1ULL * p + d[u % 4];
#pragma unroll
      for (int k = 0; k < Floats; ++k) v[(u + k) % 4] = __fmaf_rn(v[(u + k) % 4], f, 0.5F);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begin;
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      d[0] + d[1] + d[2] + d[3] + static_cast<long long>(v[0] + v[1] + v[2] + v[3]);
}

// 16 LDG and FFMA; Addresses: 0 immediate offsets, 1 an IMAD.WIDE for each, 2 also a VIADDMNMX, 3
// also an IMAD.
template <int Addresses>
__global__ void loads(long long* clocks, long long* out, const float* in, int p, int width,
                      int last, float f) {
  int x = threadIdx.x % 32;
  int y = threadIdx.x / 32;
  float sum = f;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int r = 0; r < kPasses; ++r) {
    float v[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const float* at = in + x + i * 32;
      if constexpr (Addresses == 1) at = in + ((y + i) * width + x);
      if constexpr (Addresses == 2) at = in + min(x + i * 32, last);
      if constexpr (Addresses == 3) at = in + (min(y + i, last) * width + x);
      asm volatile("ld.global.f32 %0, [%1];" : "=f"(v[i]) : "l"(at));
    }
#pragma unroll
    for (int i = 0; i < 16; ++i) sum = __fmaf_rn(v[i], f, sum);
    x ^= p;
    y ^= p;
  }
  __syncthreads();
  if (threadIdx.x == 0) clocks[blockIdx.x] = clock64() - begin;
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<long long>(sum);
}

template <typename Launch>
void measure(const char* name, long long* clocks, Launch launch) {
  std::vector<long long> got(kBlocks);
  long long best = 0;
  for (int i = 0; i < 4; ++i) {
    launch();
    cudaMemcpy(got.data(), clocks, sizeof(long long) * kBlocks, cudaMemcpyDeviceToHost);
    const long long longest = *std::max_element(got.begin(), got.end());
    best = i == 0 ? longest : std::min(best, longest);
  }
  constexpr double kWarps = 1.0 * kBlocks / 132 * kThreads / 32 / kSchedulers;
  printf("%s,%.2f\n", name, best / kWarps / kPasses);
}

template <int Wide, int Floats>
void products(const char* name, long long* clocks, long long* out) {
  measure(name, clocks,
          [&] { products<Wide, Floats><<<kBlocks, kThreads>>>(clocks, out, 4, 0.5F); });
}

template <int Addresses>
void loads(const char* name, long long* clocks, long long* out, const float* in) {
  measure(name, clocks,
          [&] { loads<Addresses><<<kBlocks, kThreads>>>(clocks, out, in, 0, 64, 900, 0.5F); });
}

int main() {
  long long* clocks;
  long long* out;
  float* in;
  cudaMalloc(&clocks, sizeof(long long) * kBlocks);
  cudaMalloc(&out, sizeof(long long) * kBlocks * kThreads);
  cudaMalloc(&in, 4 << 20);
  cudaMemset(in, 0, 4 << 20);
  products<0, 8>("64 FFMA", clocks, out);
  products<1, 0>("8 WIDE 8 IADD3", clocks, out);
  products<1, 2>("8 WIDE 8 IADD3 16 FFMA", clocks, out);
  products<1, 4>("8 WIDE 8 IADD3 32 FFMA", clocks, out);
  products<1, 6>("8 WIDE 8 IADD3 48 FFMA", clocks, out);
  products<1, 8>("8 WIDE 8 IADD3 64 FFMA", clocks, out);
  loads<0>("16 LDG 16 FFMA", clocks, out, in);
  loads<1>("16 WIDE 16 LDG 16 FFMA", clocks, out, in);
  loads<2>("16 VIADDMNMX 16 WIDE 16 LDG 16 FFMA", clocks, out, in);
  loads<3>("16 VIADDMNMX 16 IMAD 16 WIDE 16 LDG 16 FFMA", clocks, out, in);
}
