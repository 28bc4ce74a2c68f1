// SPDX-License-Identifier: Apache-2.0
// Names that are not declared, or declared twice. corpus.py describes the parts.

//--- name_any_without_sync
// __any without _sync, from old toolkits.
__global__ void kernel(int* out) { out[threadIdx.x] = __any(threadIdx.x > 30); }

//--- name_atomic_add
// atomicadd instead of atomicAdd.
__global__ void kernel(int* count) { atomicadd(count, 1); }

//--- name_atomic_sum
// atomicSum does not exist.
__global__ void kernel(float* sum, const float* in) { atomicSum(sum, in[threadIdx.x]); }

//--- name_ballot_without_sync
// __ballot without _sync, from old toolkits.
__global__ void kernel(unsigned* out) { out[threadIdx.x] = __ballot(threadIdx.x % 3 == 0); }

//--- name_block_dim
// blockdim instead of blockDim.
__global__ void kernel(int* out) { out[blockIdx.x * blockdim.x + threadIdx.x] = 1; }

//--- name_cg_without_header
// cooperative_groups without its header.
namespace cg = cooperative_groups;
__global__ void kernel(int* out) { out[threadIdx.x] = cg::this_thread_block().size(); }

//--- name_cub_block
// cub::BlockSum does not exist.
#include <cub/block/block_reduce.cuh>
__global__ void kernel(int* out) {
  typedef cub::BlockSum<int, 32> Sum;
  __shared__ typename Sum::TempStorage room;
  out[threadIdx.x] = Sum(room).Sum(threadIdx.x);
}

//--- name_cuda_std_without_header
// cuda::std without its header.
__global__ void kernel(int* out) { out[threadIdx.x] = cuda::std::min(1, 2); }

//--- name_device_qualifier
// __devices__ instead of __device__.
__devices__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(1); }

//--- name_enum_class_value
// An enum class value without its scope.
enum class Color { kRed, kGreen };
__global__ void kernel(int* out) { out[threadIdx.x] = static_cast<int>(kRed); }

//--- name_fast_tan
// __fast_tanf does not exist.
__global__ void kernel(float* out) { out[threadIdx.x] = __fast_tanf(threadIdx.x); }

//--- name_function_defined_twice
// A device function with two bodies.
__device__ int twice(int x) { return 2 * x; }
__device__ int twice(int x) { return x + x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }

//--- name_function_undeclared
// A device function defined after its use.
__global__ void kernel(int* out) { out[threadIdx.x] = twice(threadIdx.x); }
__device__ int twice(int x) { return 2 * x; }

//--- name_global_qualifier
// _global_ with single underscores.
_global_ void kernel(int* out) { out[threadIdx.x] = 1; }

//--- name_half_without_header
// half without cuda_fp16.h.
__global__ void kernel(half* out) { out[threadIdx.x] = 1; }

//--- name_kernel_defined_twice
// Two kernels with the same parameters.
__global__ void kernel(int* out) { out[threadIdx.x] = 1; }
__global__ void kernel(int* out) { out[threadIdx.x] = 2; }

//--- name_member
// A member that a struct does not have.
struct Point {
  float x, y;
};
__global__ void kernel(float* out) {
  Point p = {1, 2};
  out[threadIdx.x] = p.z;
}

//--- name_member_of_thread_idx
// threadIdx.w does not exist.
__global__ void kernel(int* out) { out[threadIdx.w] = 1; }

//--- name_misspelt_variable
// A misspelt variable.
__global__ void kernel(float* output, const float* input, int n) {
  int i = threadIdx.x;
  if (i < n) outptu[i] = input[i];
}

//--- name_namespace
// A namespace that does not exist.
__global__ void kernel(float* out) { out[threadIdx.x] = math::sqrt(2.0f); }

//--- name_null
// nil instead of nullptr.
__global__ void kernel(int* out) {
  if (out != nil) out[threadIdx.x] = 1;
}

//--- name_out_of_scope
// A loop variable used after its loop.
__global__ void kernel(int* out) {
  for (int i = 0; i < 4; ++i) out[threadIdx.x] = i;
  out[i] = 0;
}

//--- name_popcount
// popcount without underscores or a header.
__global__ void kernel(int* out) { out[threadIdx.x] = popcount(threadIdx.x); }

//--- name_private_member
// A private member of a class.
class Counter {
  int value = 3;
};
__global__ void kernel(int* out) {
  Counter c;
  out[threadIdx.x] = c.value;
}

//--- name_redeclared
// A variable declared twice.
__global__ void kernel(int* out) {
  int sum = 0;
  float sum = 1;
  out[threadIdx.x] = sum;
}

//--- name_redeclared_parameter
// A local variable with the same name as a parameter.
__global__ void kernel(int* out, int n) {
  int n = blockDim.x;
  out[threadIdx.x] = n;
}

//--- name_shared_qualifier
// __shard__ instead of __shared__.
__global__ void kernel(int* out) {
  __shard__ int tile[32];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

//--- name_shuffle_without_sync
// __shfl_down without _sync, from old toolkits.
__global__ void kernel(int* out) {
  int x = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) x += __shfl_down(x, step);
  out[threadIdx.x] = x;
}

//--- name_sqrt
// __sqrtf does not exist.
__global__ void kernel(float* out) { out[threadIdx.x] = __sqrtf(threadIdx.x); }

//--- name_sync_threads
// syncthreads() without underscores.
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

//--- name_syncthread
// __syncthread() instead of __syncthreads().
__global__ void kernel(int* out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  __syncthread();
  out[threadIdx.x] = tile[31 - threadIdx.x];
}

//--- name_thread_idx
// threadIDx instead of threadIdx.
__global__ void kernel(int* out) { out[threadIDx.x] = 1; }

//--- name_true_in_capitals
// TRUE does not exist.
__global__ void kernel(bool* out) { out[threadIdx.x] = TRUE; }

//--- name_type_string
// The type string does not exist.
__global__ void kernel(int* out) {
  string text = "warp";
  out[threadIdx.x] = 1;
}

//--- name_uint8
// The type uint8 does not exist.
__global__ void kernel(uint8* out) { out[threadIdx.x] = 1; }

//--- name_undeclared
// An undeclared variable.
__global__ void kernel(int* out, int n) {
  if (i < n) out[i] = 1;
}

//--- name_vector_member
// float2 has no z.
__global__ void kernel(float* out, const float2* in) { out[threadIdx.x] = in[threadIdx.x].z; }

//--- name_vector_type
// The vector type float5 does not exist.
__global__ void kernel(float* out) {
  float5 v;
  out[threadIdx.x] = 1;
}

//--- name_warp_size
// WARP_SIZE is not defined.
__global__ void kernel(int* out) { out[threadIdx.x] = threadIdx.x % WARP_SIZE; }
