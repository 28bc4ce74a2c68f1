// SPDX-License-Identifier: Apache-2.0
// CUDA's words for clangd, which reads this file before each kernel (see .clangd). It declares what
// the labs use, so that an editor completes and checks kernels without a CUDA toolkit. Nothing
// compiles it.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

using size_t = decltype(sizeof(0));
#define VECTORS(type, name)                                           \
  struct name##1 {                                                    \
    type x;                                                           \
  };                                                                  \
  struct __align__(2 * sizeof(type)) name##2 {                        \
    type x, y;                                                        \
  };                                                                  \
  struct name##3 {                                                    \
    type x, y, z;                                                     \
  };                                                                  \
  struct __align__(4 * sizeof(type)) name##4 {                        \
    type x, y, z, w;                                                  \
  };                                                                  \
  __host__ __device__ name##1 make_##name##1(type x);                 \
  __host__ __device__ name##2 make_##name##2(type x, type y);         \
  __host__ __device__ name##3 make_##name##3(type x, type y, type z); \
  __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w);
VECTORS(char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(unsigned short, ushort)
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(float, float)
#undef VECTORS
struct __align__(16) double2 {
  double x, y;
};
struct dim3 {
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
      : x(a), y(b), z(c) {}
  unsigned x, y, z;
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

// The launch kernel<<<grid, block, shared, stream>>>(...).
using cudaStream_t = struct CUstream_st*;
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                 cudaStream_t stream = nullptr);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = nullptr);

__device__ void __syncthreads();
__device__ int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);
__device__ void __syncwarp(unsigned mask = 0xffffffffU);
__device__ void __threadfence(), __threadfence_block(), __trap();
__device__ unsigned __activemask(), __ballot_sync(unsigned mask, int),
    __match_any_sync(unsigned mask, unsigned);
__device__ int __any_sync(unsigned mask, int), __all_sync(unsigned mask, int);
#define FOR_SHUFFLES(T)                                                                  \
  __device__ T __shfl_sync(unsigned mask, T value, int lane, int width = 32);            \
  __device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);   \
  __device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32); \
  __device__ T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
FOR_SHUFFLES(int)
FOR_SHUFFLES(unsigned)
FOR_SHUFFLES(float)
FOR_SHUFFLES(double)
#undef FOR_SHUFFLES
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned),
    __reduce_max_sync(unsigned mask, unsigned);

#define FOR_ATOMICS(T)                                                        \
  __device__ T atomicAdd(T*address, T value), atomicExch(T*address, T value); \
  __device__ T atomicMin(T*address, T value), atomicMax(T*address, T value);  \
  __device__ T atomicCAS(T* address, T compare, T value);
FOR_ATOMICS(int)
FOR_ATOMICS(unsigned)
FOR_ATOMICS(unsigned long long)
#undef FOR_ATOMICS
__device__ float atomicAdd(float* address, float value);
__device__ double atomicAdd(double* address, double value);
__device__ unsigned atomicAnd(unsigned*, unsigned), atomicOr(unsigned*, unsigned),
    atomicXor(unsigned*, unsigned);

template <class T>
__device__ T __ldg(const T* address);
template <class T>
__device__ void __stcs(T* address, T value);
template <class T>
__host__ __device__ constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr T max(T a, T b) {
  return a < b ? b : a;
}
__device__ int __popc(unsigned), __ffs(int), __clz(int);
__device__ unsigned __brev(unsigned), __umulhi(unsigned, unsigned),
    __byte_perm(unsigned, unsigned, unsigned);
__device__ float fmaf(float, float, float), fminf(float, float), fmaxf(float, float), sqrtf(float),
    rsqrtf(float);
__device__ float fabsf(float), expf(float), logf(float), powf(float, float), sinf(float),
    cosf(float);
template <class... T>
__host__ __device__ int printf(const char* format, T... values);
#define assert(condition) ((condition) ? (void)0 : __trap())

// <cuda_fp16.h>, <mma.h> and <cuda_pipeline.h>, as far as the labs use them.
struct __half {
  unsigned short bits;
};
using half = __half;
__host__ __device__ float __half2float(half);
__host__ __device__ half __float2half(float);
__device__ void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes,
                                        size_t zeros = 0);
__device__ void __pipeline_commit(), __pipeline_wait_prior(size_t);
namespace nvcuda::wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  static constexpr int num_elements = 16;
  T x[num_elements];
};
template <class Fragment, class T>
__device__ void fill_fragment(Fragment& to, T value);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment& to, const T* from, unsigned stride);
template <class Fragment, class T>
__device__ void load_matrix_sync(Fragment& to, const T* from, unsigned stride, layout_t layout);
template <class Fragment, class T>
__device__ void store_matrix_sync(T* to, const Fragment& from, unsigned stride, layout_t layout);
template <class Sum, class A, class B>
__device__ void mma_sync(Sum& to, const A& a, const B& b, const Sum& summand);
}  // namespace nvcuda::wmma
