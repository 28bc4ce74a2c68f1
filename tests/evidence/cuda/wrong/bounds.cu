// SPDX-License-Identifier: Apache-2.0
// Accesses outside of a buffer, a variable or the heap.

//--- bounds_before_start
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_before_start.cu:8:3: out_of_bounds: reads in[-1], but in has elements 0 to 31; check the index against the size before the access
// |     8 |   out[i] = in[i] - in[i - 1];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const int i = threadIdx.x;
  out[i] = in[i] - in[i - 1];
}

//--- bounds_constant
// launch: --grid 1 --block 32 --arg out:f32:32 --arg i32:8
// | bounds_constant.cu:10:3: out_of_bounds: reads weights[4], but weights has elements 0 to 3; check the index against the size before the access
// |    10 |   for (int t = 0; t < taps; ++t) sum += weights[t];
// |       |                                         ^
// |       block (0, 0, 0), thread (0, 0, 0)
__constant__ float weights[4] = {1, 2, 3, 4};
extern "C" __global__ void k(float* out, int taps) {
  float sum = 0;
  for (int t = 0; t < taps; ++t) sum += weights[t];
  out[threadIdx.x] = sum;
}

//--- bounds_device_variable
// launch: --grid 1 --block 64 --arg out:i32:64
// | bounds_device_variable.cu:9:3: out_of_bounds: writes table[32], but table has elements 0 to 31; check the index against the size before the access
// |     9 |   table[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
__device__ int table[32];
extern "C" __global__ void k(int* out) {
  table[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = 1;
}

//--- bounds_heap_freed_twice
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_freed_twice.cu:11:3: out_of_bounds: frees the 64 bytes that malloc() returned in line 8 a second time, after the first in line 11; free each allocation once
// |    11 |   free(shared);  // by each thread
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out) {
  __shared__ int* shared;
  if (threadIdx.x == 0) shared = static_cast<int*>(malloc(64));
  __syncwarp();
  out[threadIdx.x] = shared != nullptr;
  free(shared);  // by each thread
}

//--- bounds_heap_full
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_full.cu:8:3: out_of_bounds: writes 4 bytes, at address 0x1c: an index from a null pointer; check where the pointer comes from; malloc() returns null if the heap is full
// |     8 |   list[threadIdx.x] = 1;
// |       block (0, 0, 0), thread (7, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(1 << 20));  // 32 MiB for all threads
  list[threadIdx.x] = 1;
  out[threadIdx.x] = list[threadIdx.x];
  free(list);
}

//--- bounds_heap_past_end
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_past_end.cu:8:3: out_of_bounds: writes 4 bytes, at bytes 16 to 19 of the 16 bytes that malloc() returned in line 7; check the index against the size before the access
// |     8 |   for (int i = 0; i <= 4; ++i) list[i] = i;
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i <= 4; ++i) list[i] = i;
  out[threadIdx.x] = list[threadIdx.x % 4];
  free(list);
}

//--- bounds_heap_use_after_free
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_use_after_free.cu:14:53: out_of_bounds: reads 8 bytes, in the 16 bytes that malloc() returned in line 12, after free() in line 16; do not use memory after freeing it
// |    14 |   for (volatile Node* node = list; node != nullptr; node = node->next) {
// |       block (0, 0, 0), thread (0, 0, 0)
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void k(int* out) {
  Node* list = nullptr;
  for (int i = 0; i < 3; ++i) list = new Node{i, list};
  int sum = 0;
  for (volatile Node* node = list; node != nullptr; node = node->next) {
    sum += node->value;
    delete node;
  }
  out[threadIdx.x] = sum;
}

//--- bounds_heap_wild_free
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_wild_free.cu:10:3: out_of_bounds: free() of address 0x6c0000000004, which is 4 bytes into the 64 bytes that malloc() returned in line 7; pass it the pointer that malloc() returned
// |    10 |   free(list);
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* list = static_cast<int*>(malloc(64));
  *list++ = 1;
  out[threadIdx.x] = 1;
  free(list);
}

//--- bounds_huge_index
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:1073741824
// | bounds_huge_index.cu:8:3: out_of_bounds: writes 4 bytes, at address 0x7f0100000000, outside every buffer; check the pointer and the index before the access (can it be negative or overflow 32 bits?)
// |     8 |   out[static_cast<unsigned>(i * stride)] = i;
// |       block (0, 0, 0), thread (1, 0, 0)
extern "C" __global__ void k(int* out, int stride) {
  const int i = threadIdx.x;
  out[static_cast<unsigned>(i * stride)] = i;
}

//--- bounds_local
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_local.cu:9:3: out_of_bounds: reads 4 bytes, at bytes 32 to 35 of the thread's local arrays, which have 32 bytes together; check the index against the size before the access
// |     9 |   out[threadIdx.x] = digits[threadIdx.x];
// |       block (0, 0, 0), thread (8, 0, 0)
extern "C" __global__ void k(int* out) {
  int digits[8];
  for (int d = 0; d < 8; ++d) digits[(d * 3 + threadIdx.x) % 8] = d;
  out[threadIdx.x] = digits[threadIdx.x];
}

//--- bounds_local_before_start
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:3
// | bounds_local_before_start.cu:10:3: out_of_bounds: reads 4 bytes, beginning 12 bytes before the thread's local arrays, which have 32 bytes together; check the index against the size before the access
// |    10 |   out[threadIdx.x] = digits[i - back];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int back) {
  int digits[8];
  for (int d = 0; d < 8; ++d) digits[(d * 3 + threadIdx.x) % 8] = d;
  const int i = threadIdx.x % 8;
  out[threadIdx.x] = digits[i - back];
}

//--- bounds_matrix
// launch: --grid 1 --block 32 --arg out:f32:256 --arg in:f16:256:iota
// | bounds_matrix.cu:15:3: out_of_bounds: reads 4 bytes from in[256] on, but in has elements 0 to 255; check the index against the size before the access
// |    15 |   wmma::load_matrix_sync(fb, in + 128, 16);
// |       |                              ^
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, in, 16);
  wmma::load_matrix_sync(fb, in + 128, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}

//--- bounds_null
// launch: --grid 1 --block 32 --arg out:i32:32 --arg u64:0
// | bounds_null.cu:7:3: out_of_bounds: reads 4 bytes, through a null pointer; check where the pointer comes from; malloc() returns null if the heap is full
// |     7 |   out[threadIdx.x] = in[threadIdx.x];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  out[threadIdx.x] = in[threadIdx.x];
}

//--- bounds_past_end
// launch: --grid 2 --block 64 --arg out:i32:100
// | bounds_past_end.cu:8:3: out_of_bounds: writes out[100], but out has elements 0 to 99; check the index against the size before the access
// |     8 |   out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // no check against 100
// |       |   ^
// |       block (1, 0, 0), thread (36, 0, 0)
extern "C" __global__ void k(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;  // no check against 100
}

//--- bounds_rows_and_columns
// launch: --grid 1 --block 8,8 --arg out:f64:48 --arg in:f64:48:iota --arg i32:8 --arg i32:6
// | bounds_rows_and_columns.cu:10:5: out_of_bounds: reads in[48], but in has elements 0 to 47; check the index against the size before the access
// |    10 |     out[row * width + column] = 2 * in[row * width + column];
// |       |                                     ^
// |       block (0, 0, 0), thread (0, 6, 0)
extern "C" __global__ void k(double* out, const double* in, int width, int height) {
  const int column = threadIdx.x, row = threadIdx.y;
  if (column < width && row < width)  // should be row < height
    out[row * width + column] = 2 * in[row * width + column];
}

//--- bounds_shared_before_start
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_shared_before_start.cu:11:3: out_of_bounds: reads tile[-1], but tile has elements 0 to 31; check the index against the size before the access
// |    11 |   out[i] = tile[i] - tile[i - 1];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  tile[i] = in[i];
  __syncthreads();
  out[i] = tile[i] - tile[i - 1];
}

//--- bounds_shared_dynamic
// launch: --grid 1 --block 64 --shared 128 --arg out:f32:64 --arg in:f32:64:iota
// | bounds_shared_dynamic.cu:9:3: out_of_bounds: writes tile[32], but tile has elements 0 to 31; the launch sets the size of an extern array: pass more bytes, or check the index
// |     9 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

//--- bounds_shared_dynamic_of_two
// launch: --grid 1 --block 64 --shared 128 --arg out:i32:64
// | bounds_shared_dynamic_of_two.cu:9:3: out_of_bounds: writes mine[32], but mine has elements 0 to 31; the launch sets the size of an extern array: pass more bytes, or check the index
// |     9 |   mine[threadIdx.x] = threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(int* out) {
  extern __shared__ int mine[];
  mine[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = mine[threadIdx.x];
}
__global__ void other(float* out) {
  extern __shared__ float theirs[];
  theirs[threadIdx.x] = 1;
  out[threadIdx.x] = theirs[threadIdx.x];
}

//--- bounds_shared_neighbour
// launch: --grid 1 --block 32 --arg out:f32:32 --arg in:f32:32:iota
// | bounds_shared_neighbour.cu:13:3: out_of_bounds: reads left[32], but left has elements 0 to 31; check the index against the size before the access
// |    13 |   out[i] = left[i + 1] + right[i];
// |       |            ^
// |       block (0, 0, 0), thread (31, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float left[32], right[32];
  const int i = threadIdx.x;
  left[i] = in[i];
  right[i] = -in[i];
  __syncthreads();
  out[i] = left[i + 1] + right[i];
}

//--- bounds_shared_past_end
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | bounds_shared_past_end.cu:9:3: out_of_bounds: writes tile[32], but tile has elements 0 to 31; check the index against the size before the access
// |     9 |   tile[threadIdx.x] = in[threadIdx.x];
// |       |   ^
// |       block (0, 0, 0), thread (32, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x % 32];
}

//--- bounds_stack_overflow
// launch: --grid 1 --block 32 --arg out:i32:32 --arg i32:1
// | bounds_stack_overflow.cu:7:3: out_of_bounds: stack overflow: 4096 calls deep, fibonacci(int, int) finds no room on the thread's stack of 65536 bytes; does the recursion come to an end for every input? If so, make it a loop, or keep large arrays out of it
// |     7 |   return n == 1 ? 1 : fibonacci(n - step, step) + fibonacci(n - 2 * step, step);  // and n == 0?
// |       block (0, 0, 0), thread (0, 0, 0)
__device__ __noinline__ int fibonacci(int n, int step) {
  return n == 1 ? 1 : fibonacci(n - step, step) + fibonacci(n - 2 * step, step);  // and n == 0?
}
extern "C" __global__ void k(int* out, int step) { out[threadIdx.x] = fibonacci(5, step); }

//--- bounds_vector_at_the_end
// launch: --grid 1 --block 32 --arg out:f32:126 --arg in:f32:126:iota
// | bounds_vector_at_the_end.cu:9:3: out_of_bounds: reads 16 bytes from in[124] on, but in has elements 0 to 125; check the index against the size before the access
// |     9 |   reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
// |       |                                                                       ^
// |       block (0, 0, 0), thread (31, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  const int i = threadIdx.x;
  reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
}
