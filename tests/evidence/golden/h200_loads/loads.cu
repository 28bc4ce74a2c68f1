// SPDX-License-Identifier: Apache-2.0
// Each form of load from global memory, to find out which ones L1 serves and which ones fill it.
//
// 64 blocks of 8 warps make four passes over 8 lines of their own; __syncthreads() separates
// passes. Order 0 uses the form in all passes, 1 after one pass of ld.ca, 2 before three of them.
#include <cstdio>

#define FORM(name, code)                                                               \
  struct name {                                                                        \
    static __device__ unsigned load(const unsigned* from) {                            \
      unsigned value;                                                                  \
      asm volatile("ld." #code ".u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory"); \
      return value;                                                                    \
    }                                                                                  \
  };
#include "forms.inc"
#undef FORM

template <class Form, int order>
__global__ void passes(unsigned* out, const unsigned* in) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned sum = 0;
#pragma unroll
  for (unsigned pass = 0; pass < 4; ++pass) {
    const unsigned* from = in + blockIdx.x * 256 + (warp + pass) % 8 * 32 + lane;
    const bool is_plain = (order == 1 && pass == 0) || (order == 2 && pass != 0);
    sum += is_plain ? ca::load(from) : Form::load(from);
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

int main() {
  unsigned *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
#define FORM(name, code)                 \
  passes<name, 0><<<64, 256>>>(out, in); \
  passes<name, 1><<<64, 256>>>(out, in); \
  passes<name, 2><<<64, 256>>>(out, in);
#include "forms.inc"
  const cudaError_t error = cudaDeviceSynchronize();
  std::puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}
