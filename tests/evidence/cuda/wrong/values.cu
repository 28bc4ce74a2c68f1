// SPDX-License-Identifier: Apache-2.0
// Wrong values: inputs that are written, uninitialised reads, misaligned addresses.

//--- input_updated
// launch: --grid 1 --block 64 --arg out:i32:64 --arg in:i32:64:iota
// | input_updated.cu:8:3: input_modified: thread (0, 0, 0) atomically updates in[0], but in is an input that the kernel must not modify. Store to an output parameter or a local variable. This happened 64 times.
// |     8 |   out[threadIdx.x] = atomicExch(&in[threadIdx.x], 0);
// |       |                                  ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, int* in) {
  out[threadIdx.x] = atomicExch(&in[threadIdx.x], 0);
}

//--- input_written
// launch: --grid 1 --block 64 --arg out:f32:64 --arg in:f32:64:iota
// | input_written.cu:8:3: input_modified: thread (0, 0, 0) writes in[0], but in is an input that the kernel must not modify. Store to an output parameter or a local variable. This happened 64 times.
// |     8 |   in[threadIdx.x] *= 2;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, float* in) {
  in[threadIdx.x] *= 2;
  out[threadIdx.x] = in[threadIdx.x];
}

//--- misaligned_float4
// launch: --grid 1 --block 16 --arg out:f32:64 --arg in:f32:65:iota
// | misaligned_float4.cu:9:7: misaligned: reads 16 bytes at byte 4 of 'in', which is not a multiple of 16; a wide type such as float4 needs an address that is a multiple of its size
// |     9 |       reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
// |       |                                       ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  reinterpret_cast<float4*>(out)[threadIdx.x] =
      reinterpret_cast<const float4*>(in + 1)[threadIdx.x];
}

//--- misaligned_matrix_stride
// launch: --grid 1 --block 32 --arg out:f32:512 --arg in:f16:512:iota
// | misaligned_matrix_stride.cu:13:3: misaligned: the leading dimension of a matrix operation is 17 elements of 2 bytes; it must be a multiple of 16 bytes, which are 8 elements
// |    13 |   wmma::load_matrix_sync(fa, in, 17);  // a row more against bank conflicts, as for floats
// |       block (0, 0, 0), thread (0, 0, 0)
#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void k(float* out, const half* in) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, in, 17);  // a row more against bank conflicts, as for floats
  wmma::load_matrix_sync(fb, in, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
}

//--- misaligned_shared
// launch: --grid 1 --block 32 --arg out:f64:32
// | misaligned_shared.cu:13:3: misaligned: reads 8 bytes at words[1], which is not a multiple of 8; a wide type such as float4 needs an address that is a multiple of its size
// |    13 |   out[threadIdx.x] = *reinterpret_cast<double*>(&words[2 * threadIdx.x + 1]);
// |       |                                                  ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(double* out) {
  extern __shared__ char bytes[];
  (void)bytes;
  __shared__ int words[65];
  for (int i = threadIdx.x; i < 65; i += 32) words[i] = i;
  __syncwarp();
  out[threadIdx.x] = *reinterpret_cast<double*>(&words[2 * threadIdx.x + 1]);
}

//--- uninitialized_heap
// launch: --grid 1 --block 32 --arg out:i32:32
// | uninitialized_heap.cu:8:3: uninitialized_read: reads 4 bytes of the 32 bytes that malloc() returned in line 7, which nothing has written yet; memory from malloc() is not zero-initialized: store to it first
// |     8 |   ++count[threadIdx.x % 8];
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  int* count = static_cast<int*>(malloc(8 * sizeof(int)));
  ++count[threadIdx.x % 8];
  out[threadIdx.x] = count[threadIdx.x % 8];
  free(count);
}

//--- uninitialized_output_is_read
// launch: --grid 1 --block 32 --arg out:i32:32
// | uninitialized_output_is_read.cu:8:3: uninitialized_read: thread (0, 0, 0) reads out[0] before the kernel has written it. out is not zero-initialized: store to an element before reading it, or sum in a local variable. This happened 32 times.
// |     8 |   out[threadIdx.x] += threadIdx.x;
// |       |   ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out) {
  out[threadIdx.x] += threadIdx.x;
}

//--- uninitialized_shared
// launch: --grid 2 --block 64 --arg out:f32:128 --arg in:f32:128:iota
// | uninitialized_shared.cu:11:3: uninitialized_read: thread (0, 0, 0) reads tile[0], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 4 times.
// |    11 |   out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // no halo
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(float* out, const float* in) {
  __shared__ float tile[66];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x + 1] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2];  // no halo
}

//--- uninitialized_sum
// launch: --grid 1 --block 64 --arg out:i32:4 --arg in:i32:64:iota
// | uninitialized_sum.cu:9:3: uninitialized_read: thread (0, 0, 0) reads bins[0], which no thread of the block has written yet. Shared memory is not zero-initialized: store to it first, with a __syncthreads() in between if another thread stores. This happened 4 times.
// |     9 |   atomicAdd(&bins[in[threadIdx.x] % 4], 1);
// |       |              ^
// |       block (0, 0, 0), thread (0, 0, 0)
extern "C" __global__ void k(int* out, const int* in) {
  __shared__ int bins[4];
  atomicAdd(&bins[in[threadIdx.x] % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
