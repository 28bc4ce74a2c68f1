// SPDX-License-Identifier: Apache-2.0
// Functions and headers of libraries that device code cannot use. corpus.py describes the parts.

//--- cuda_ballot_pointer
// __ballot_sync with one argument.
__global__ void kernel(unsigned* out) { out[threadIdx.x] = __ballot_sync(threadIdx.x > 3); }

//--- cuda_barrier_init
// A cuda::barrier in shared memory with an initializer.
#include <cuda/barrier>
__global__ void kernel(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar(32);
  bar.arrive_and_wait();
  out[threadIdx.x] = 1;
}

//--- cuda_bfloat16_mixed
// A half assigned to a bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void kernel(__nv_bfloat16* out, const __half* in) { out[threadIdx.x] = in[threadIdx.x]; }

//--- cuda_builtin_bswap
// nvcc has no __builtin_bswap32 in device code.
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u + 1;
  int value = __builtin_clz(x) + 100 * __builtin_popcount(x) + 7 * __builtin_ffs(x);
  if (__builtin_expect(value > 500, 0)) value ^= int(__builtin_bswap32(x));
  out[threadIdx.x] = value;
}

//--- cuda_builtin_ctz
// nvcc has no __builtin_ctz in device code, unlike __builtin_clz.
__global__ void counts(int* out) {
  const unsigned x = threadIdx.x * 0x01234567u + 1;
  int value = __builtin_clz(x) + 100 * __builtin_popcount(x) + 7 * __builtin_ffs(x) + 3 * __builtin_ctz(x);
  if (__builtin_expect(value > 500, 0)) value ^= int(__builtin_bswap32(x));
  out[threadIdx.x] = value;
}

//--- cuda_builtin_memcmp
// __builtin_memcmp of GCC.
__global__ void kernel(int* out, const char* a, const char* b) {
  out[threadIdx.x] = __builtin_memcmp(a, b, 4);
}

//--- cuda_cub_temp_storage
// cub without its temporary storage.
#include <cub/block/block_reduce.cuh>
__global__ void kernel(int* out) {
  int sum = cub::BlockReduce<int, 32>().Sum(threadIdx.x, 3, 4);
  out[threadIdx.x] = sum;
}

//--- cuda_cudamalloc_in_kernel
// cudaMallocHost in a kernel.
__global__ void kernel(int* out) {
  int* p;
  cudaMallocHost(&p, 64);
  out[threadIdx.x] = 1;
}

//--- cuda_curand_without_header
// curand in a kernel without its header.
__global__ void kernel(float* out) {
  curandState state;
  curand_init(1, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

//--- cuda_exit
// exit() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out, int n) {
  if (n < 0) exit(1);
  out[threadIdx.x] = n;
}

//--- cuda_fma_mixed
// fma() of a float and an int.
__global__ void kernel(float* out) {
  const float x = out[threadIdx.x];
  out[threadIdx.x] = fma(x, 2, x);
}

//--- cuda_grid_sync_missing
// grid.sync() without a grid.
#include <cooperative_groups.h>
__global__ void kernel(int* out) {
  grid.sync();
  out[threadIdx.x] = 1;
}

//--- cuda_group_copy
// A thread_block initialized with a number.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = 0;
  out[threadIdx.x] = block.size();
}

//--- cuda_group_reduce_header
// cg::reduce without its header.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  out[threadIdx.x] = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
}

//--- cuda_group_run_time_tile
// A run-time tile size as a template argument.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out, int n) {
  auto tile = cg::tiled_partition<n>(cg::this_thread_block());
  out[threadIdx.x] = tile.thread_rank();
}

//--- cuda_group_shuffle_block
// A shuffle of a thread_block.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  out[threadIdx.x] = block.shfl(int(threadIdx.x), 0);
}

//--- cuda_group_sync_member
// cg::sync() without a group.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::sync();
  out[threadIdx.x] = block.thread_rank();
}

//--- cuda_group_tile_size
// A tile of 24 threads.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void kernel(int* out) {
  auto tile = cg::tiled_partition<24>(cg::this_thread_block());
  out[threadIdx.x] = tile.thread_rank();
}

//--- cuda_half_ambiguous
// A half multiplied by a double is ambiguous.
#include <cuda_fp16.h>
__global__ void kernel(float* out) {
  __half h = __float2half(1.5f);
  out[threadIdx.x] = h * 2.0;
}

//--- cuda_half_max
// max() of two halves.
#include <cuda_fp16.h>
__global__ void kernel(__half* out, const __half* in) { out[threadIdx.x] = max(in[0], in[1]); }

//--- cuda_half_plus_struct
// A half2 passed to a function that takes a half.
#include <cuda_fp16.h>
__global__ void kernel(float* out) {
  __half2 h = __float2half2_rn(1.5f);
  out[threadIdx.x] = __half2float(h);
}

//--- cuda_ldg_struct
// __ldg of a struct.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out, const Pair* in) { out[threadIdx.x] = __ldg(in + threadIdx.x).a; }

//--- cuda_ldg_value
// __ldg of a value instead of an address.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = __ldg(in[threadIdx.x]); }

//--- cuda_make_float3
// make_float3 with two arguments.
__global__ void kernel(float* out) {
  float3 v = make_float3(1, 2);
  out[threadIdx.x] = v.x;
}

//--- cuda_math_fma_arguments
// fmaf with two arguments.
__global__ void kernel(float* out) { out[threadIdx.x] = fmaf(2.0f, 3.0f); }

//--- cuda_math_fmax_mixed
// fmax() of a float and an int.
__global__ void kernel(float* out) { out[threadIdx.x] = fmax(out[threadIdx.x], 0); }

//--- cuda_math_fmod_mixed
// fmod() of an integer and a double.
__global__ void kernel(double* out) { out[threadIdx.x] = fmod(threadIdx.x, 2.5); }

//--- cuda_math_min_mixed_pointer
// min() of a number and a pointer.
__global__ void kernel(int* out, const int* in) { out[threadIdx.x] = min(in[0], in); }

//--- cuda_math_pow_string
// pow() with a pointer.
__global__ void kernel(float* out, const float* in) { out[threadIdx.x] = pow(in, 2); }

//--- cuda_math_sincos_value
// sincosf with values instead of addresses.
__global__ void kernel(float* out) {
  float s, c;
  sincosf(1.0f, s, c);
  out[threadIdx.x] = s + c;
}

//--- cuda_math_sqrt_arguments
// sqrtf with two arguments.
__global__ void kernel(float* out) { out[threadIdx.x] = sqrtf(2.0f, 3.0f); }

//--- cuda_nanosleep_float
// __nanosleep without an argument.
__global__ void kernel(int* out) {
  __nanosleep();
  out[threadIdx.x] = 1;
}

//--- cuda_pipeline_without_header
// cuda::pipeline without its header.
#include <cuda/barrier>
__global__ void kernel(int* out) {
  auto pipe = cuda::make_pipeline();
  pipe.producer_commit();
  out[threadIdx.x] = 1;
}

//--- cuda_popcount_in_both
// A device intrinsic in a __host__ __device__ function.
__host__ __device__ int bits(unsigned x) { return __popc(x); }
__global__ void kernel(int* out) { out[threadIdx.x] = bits(threadIdx.x); }

//--- cuda_realloc
// realloc() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) {
  int* p = (int*)malloc(16);
  p = (int*)realloc(p, 32);
  out[threadIdx.x] = p != nullptr;
}

//--- cuda_shuffle_float2
// A shuffle of a float2.
__global__ void kernel(float* out) {
  float2 v = make_float2(threadIdx.x, 1);
  v = __shfl_xor_sync(0xffffffff, v, 1);
  out[threadIdx.x] = v.x;
}

//--- cuda_shuffle_struct
// A shuffle of a struct.
struct Pair {
  int a, b;
};
__global__ void kernel(int* out) {
  Pair p = {int(threadIdx.x), 2};
  p = __shfl_down_sync(0xffffffff, p, 1);
  out[threadIdx.x] = p.a;
}

//--- cuda_shuffle_without_mask
// __shfl_sync without a mask.
__global__ void kernel(int* out) { out[threadIdx.x] = __shfl_sync(threadIdx.x, 0); }

//--- cuda_sqrt_int
// sqrt() of an int, which is a host function.
__global__ void roots(double* out) { out[threadIdx.x] = sqrt(int(threadIdx.x)); }

//--- cuda_std20_concept
// A C++20 concept.
template <typename T>
concept Number = sizeof(T) > 0;
__global__ void kernel(int* out) { out[threadIdx.x] = Number<int>; }

//--- cuda_std20_consteval
// C++20 consteval.
consteval int square(int x) { return x * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = square(4); }

//--- cuda_std20_spaceship
// The C++20 three-way comparison.
__global__ void kernel(int* out) { out[threadIdx.x] = (int(threadIdx.x) <=> 3) < 0; }

//--- cuda_std20_template_lambda
// An undefined name in a C++20 template lambda.
__global__ void kernel(int* out) {
  auto f = []<typename T>(T x) { return x + T(missing); };
  out[threadIdx.x] = f(1);
}

//--- cuda_std_accumulate
// std::accumulate in a kernel.
#include <numeric>
__global__ void kernel(int* out, const int* in) { out[threadIdx.x] = std::accumulate(in, in + 4, 0); }

//--- cuda_std_array_index
// std::array indexed in a kernel.
#include <array>
__global__ void kernel(int* out) {
  std::array<int, 3> a = {1, 2, 3};
  out[threadIdx.x] = a[threadIdx.x % 3];
}

//--- cuda_std_array_of_file
// An element of a file-scope constexpr std::array.
#include <array>
constexpr std::array<int, 4> weights = {1, 2, 3, 4};
__global__ void kernel(int* out) { out[threadIdx.x] = weights[2] * weights.size(); }

//--- cuda_std_atomic
// std::atomic in a kernel.
#include <atomic>
__global__ void kernel(int* out) {
  std::atomic<int> a(0);
  a.fetch_add(1);
  out[threadIdx.x] = a.load();
}

//--- cuda_std_cout
// std::cout in a kernel.
#include <iostream>
__global__ void kernel(int* out) {
  std::cout << "hello\n";
  out[threadIdx.x] = 1;
}

//--- cuda_std_exit
// exit() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) {
  if (out == nullptr) exit(1);
  out[threadIdx.x] = 1;
}

//--- cuda_std_fprintf
// fprintf(stderr, ...) in a kernel.
#include <cstdio>
__global__ void kernel(int* out) {
  fprintf(stderr, "no\n");
  out[threadIdx.x] = 1;
}

//--- cuda_std_function
// std::function in a kernel.
#include <functional>
__global__ void kernel(int* out) {
  std::function<int(int)> f = [](int x) { return x + 1; };
  out[threadIdx.x] = f(threadIdx.x);
}

//--- cuda_std_less
// The host library's std::less.
#include <functional>
__global__ void kernel(int* out) {
  std::less<int> less;
  out[threadIdx.x] = less(out[threadIdx.x], 3);
}

//--- cuda_std_max
// std::max without --expt-relaxed-constexpr.
#include <algorithm>
__global__ void kernel(int* out) { out[threadIdx.x] = std::max(int(threadIdx.x), 5); }

//--- cuda_std_numeric_limits
// std::numeric_limits<float>::max() is a constexpr host function.
#include <limits>
__global__ void kernel(float* out, const float* in) {
  float least = std::numeric_limits<float>::max();
  for (int i = 0; i < 4; ++i) least = fminf(least, in[i]);
  out[threadIdx.x] = least;
}

//--- cuda_std_pair_make
// std::make_pair in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  auto p = std::make_pair(int(threadIdx.x), 2);
  out[threadIdx.x] = p.first * p.second;
}

//--- cuda_std_pair_value
// A std::pair constructed in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  std::pair<int, int> range{1, 2};
  out[threadIdx.x] = range.second;
}

//--- cuda_std_plus
// The host library's std::plus.
#include <functional>
template <typename F>
__device__ int applied(F f, int x) {
  return f(x, 1);
}
__global__ void kernel(int* out) { out[threadIdx.x] = applied(std::plus<int>(), threadIdx.x); }

//--- cuda_std_rand
// rand() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) { out[threadIdx.x] = rand() % 6; }

//--- cuda_std_sort
// std::sort in a kernel.
#include <algorithm>
__global__ void kernel(int* out) {
  int a[4] = {3, 1, 2, 0};
  std::sort(a, a + 4);
  out[threadIdx.x] = a[threadIdx.x % 4];
}

//--- cuda_std_string
// std::string in a kernel.
#include <string>
__global__ void kernel(int* out) {
  std::string s = "warp";
  out[threadIdx.x] = s.size();
}

//--- cuda_std_swap
// std::swap in a kernel.
#include <utility>
__global__ void kernel(int* out) {
  int a = threadIdx.x, b = 3;
  std::swap(a, b);
  out[threadIdx.x] = a * 10 + b;
}

//--- cuda_std_time
// time() in a kernel.
#include <ctime>
__global__ void kernel(long* out) { out[threadIdx.x] = time(nullptr); }

//--- cuda_std_vector
// std::vector in a kernel.
#include <vector>
__global__ void kernel(int* out) {
  std::vector<int> v(4);
  out[threadIdx.x] = v[0];
}

//--- cuda_string_pointer_constant
// A const host pointer to a string.
const char* const text = "abc";
__global__ void kernel(char* out) { out[threadIdx.x] = text[0]; }

//--- cuda_string_pointer_printed
// printf() with a format from a const host pointer.
#include <cstdio>
static const char* const format = "%d\n";
__global__ void kernel(int n) { printf(format, n); }
